// Generated from safety by `go run ./host/native/tsgen`; do not edit.

/**
 * Target holds the extractor's facts of the element that an action will really
 * reach, gathered in the one call that resolved it. The extractor cuts strings to
 * 300 characters and leaves out the values of secret fields.
 */
export interface Target {
  tag: string;
  role: string;
  /** accessible name */
  name: string;
  /** visible text */
  text: string;
  /** title attribute */
  title?: string;
  /** of a button-like input, or of a field that is no secret */
  value?: string;
  /** of an input or button */
  type?: string;
  /** resolved URL of the link it is or stands in */
  href?: string;
  linkText?: string;
  /** the painted letters as the eye reads them, where they say other than text */
  seen?: string;
  /** of a control without words: what its picture is called in class, file, sprite */
  icon?: string;
  /** text of its <label> */
  label?: string;
  /** heading and text of the group around it */
  context?: string;
  /** text of the row, list item or card that it stands in */
  row?: string;
  /** what a user reads in that, but for its buttons: for the sentences of results */
  item?: string;
  /** it or an ancestor reacts to clicks as far as can be seen */
  hasHandler: boolean;
  /** takes text */
  editable: boolean;
  /** password, card, cvc, otp, government; empty when none */
  secret?: string;
  /** a secret that has been filled in beside it, and that no form of its own sends; a card number anywhere in its document */
  beside?: string;
  /** a click, or for keys Enter, submits Form */
  submitsForm: boolean;
  /** a change of its value takes effect at once: its script sends or leads away, or its form has no button */
  onChange?: boolean;
  /** a press opens its menu, list or dialog (aria-haspopup, aria-expanded="false", or the id of a part that is not shown) */
  opens?: boolean;
  /** it is a surface that is drawn on, or a part of one */
  drawn?: boolean;
  /** in which a script sends the address of a link or button, unless GET: data-method, hx-delete */
  method?: string;
  /** name of the dialog that is open over the page, where it stands in that */
  dialog?: string;
  /** of a control that is named by a figure: the dialog's other buttons */
  answers?: string[];
  /** it stands among the ways about a site: nav, navigation, tablist, menubar */
  nav?: boolean;
  /** nothing is written in the fields of its document, but for what is searched by, and no dialog is open */
  blank?: boolean;
  /** what the boxes say, each with the words around it, that were ticked beside it since the page was loaded */
  set?: string[];
  /** the same of boxes that were ticked then and are no longer */
  cleared?: string[];
  /** what the page asks before it acts: data-confirm, hx-confirm */
  asks?: string;
  form?: Form;
  /** of the document the element is in */
  frameUrl: string;
  /**
   * Fingerprint is a hash by the extractor over every fact above that the
   * judgement may rest on, plus the form's values; the input guard compares
   * it when the event arrives.
   */
  fingerprint: string;
  /** DefaultButton is the label of the button that Enter presses in the form. */
  defaultButton?: string;
}

/** Form is the form a target belongs to. */
export interface Form {
  /** resolved URL */
  action: string;
  method: string;
  fields: Field[];
  buttons: string[];
  /** role=search or a lone search field with GET */
  search: boolean;
  /** ticked boxes that stand for lines of a list: several boxes have their name */
  rows?: number;
}

/** Field is one field of a form. Value is empty for secrets. */
export interface Field {
  name: string;
  type: string;
  label?: string;
  value?: string;
  /** what it held before, by its markup or when its form was first told, if that is something else; of a box: that it was ticked */
  was?: string;
  secret?: string;
}

/** Page holds the facts of the page around the target. */
export interface Page {
  url: string;
  title: string;
  /** visible text, up to 20,000 characters */
  text: string;
  /** money amounts near the target first, as printed: "$12.50" */
  amounts: string[];
  /** lines of an order summary, if one was found */
  items: string[];
  dialog?: string;
}
