import type { english } from "./english.js";

/** All texts of the desk in one language. A word or more in [brackets] is a link, whose address the page knows. */
export type Texts = typeof english;
