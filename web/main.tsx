// The page: which screen to show, in which language and colours.

import { render } from "preact";
import { App } from "./App";
import "./styles/base.css";
import "./styles/lobby.css";
import "./styles/table.css";
import "./styles/games.css";

render(<App />, document.getElementById("app")!);
