import { render } from "preact";
import { loadLanguage } from "../shared/language.js";
import "./keys.js";
import { resume } from "./session.js";
import { Shell } from "./shell.js";

void resume();
await loadLanguage();
render(<Shell />, document.getElementById("desk")!);
