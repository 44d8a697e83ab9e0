/** The text of a form's field; empty if there is none. */
export function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
