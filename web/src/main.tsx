import { render } from "preact";
import "./cart.js";
import { loadCategories } from "./catalogue.js";
import { loadLanguage } from "./shared/language.js";
import "./settings.js";
import { findOrder } from "./place-order.js";
import { session } from "./session.js";
import { Shell } from "./shell.js";

// The token is in use before the first view asks for anything. The cart and the settings follow the session.
void session.resume();
void findOrder();
void loadCategories();
await loadLanguage();
render(<Shell />, document.getElementById("shop")!);
