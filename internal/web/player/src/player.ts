// The client of the player's pages. It draws what the server sent and decides nothing: without it
// every page works up to the reveal, which it animates.

import { keepClock, keepMeters, keepProgress } from "./live.js";
import { startGame } from "./game.js";

keepClock();
keepMeters();
keepProgress();
const game = document.getElementById("game");
if (game instanceof HTMLElement && game.dataset["live"] !== undefined) startGame(game);
