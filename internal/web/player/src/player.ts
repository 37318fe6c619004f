// The client of the player's pages. It draws what the server sent and decides nothing: without it
// every page works up to the reveal, which it animates.

import { keepCopies } from "./copy.js";
import { keepClock, keepMeters, keepProgress } from "./live.js";
import { startGame } from "./game.js";

keepCopies();
keepClock();
keepMeters();
keepProgress();
const game = document.getElementById("game");
if (game instanceof HTMLElement && game.dataset["live"] !== undefined) startGame(game);
