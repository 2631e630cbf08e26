// Runs before the page is drawn, so that the wrong theme never flashes.
import { applyTheme } from "./theme.ts";

applyTheme();
