import { render } from "preact";
import { openCart } from "./cart.js";
import { loadCategories } from "./catalogue.js";
import { loadSettings } from "./settings.js";
import { resume } from "./session.js";
import { Shell } from "./shell.js";

render(<Shell />, document.getElementById("shop")!);
void loadCategories();
void loadSettings();
void resume().then(openCart);
