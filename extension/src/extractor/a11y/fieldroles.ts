// Which roles are fields, and of what kind.

const ticked = new Set(["checkbox", "radio"]);
const written = new Set(["textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"]);

/** Whether it is a box to tick: its label stands behind it. */
export const isTicked = (role: string): boolean => ticked.has(role);

/** Whether a value is written or chosen in it: its label stands before it. */
export const isWritten = (role: string): boolean => written.has(role);

export const isFieldRole = (role: string): boolean => isTicked(role) || isWritten(role);
