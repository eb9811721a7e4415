// Which roles are fields, and of what kind.

const ticked = new Set(["checkbox", "radio"]);
const written = new Set(["textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"]);

/** Whether the role is a checkbox or radio: its label is behind it. */
export const isTicked = (role: string): boolean => ticked.has(role);

/** Whether a value is written or chosen in it: its label is before it. */
export const isWritten = (role: string): boolean => written.has(role);

export const isFieldRole = (role: string): boolean => isTicked(role) || isWritten(role);
