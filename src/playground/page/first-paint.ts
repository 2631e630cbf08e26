// Runs before the page is drawn, so that nobody sees the other theme for a moment.
import { applyTheme } from "./theme.ts";

applyTheme();
