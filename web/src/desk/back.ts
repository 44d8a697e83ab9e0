/** The record from which somebody goes back to its list: its row gets the focus. */
export const left: { record: string | null } = { record: null };
