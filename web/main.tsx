// The page: which screen to show, in which language and colours.

import { render } from "preact";
import { App, Nowhere } from "./App";
import "./styles/base.css";
import "./styles/lobby.css";
import "./styles/table.css";

// All screens are at one address; any other was typed wrong, and the server has said so.
const known = ["/", "/index.html"].includes(location.pathname);
render(known ? <App /> : <Nowhere />, document.getElementById("app")!);
