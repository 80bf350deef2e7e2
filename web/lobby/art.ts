// The pictures of the lobby: a few cards of each game.

import crane from "../generated/hanafuda/1-1.svg?url";
import curtain from "../generated/hanafuda/3-1.svg?url";
import moon from "../generated/hanafuda/8-1.svg?url";
import rainman from "../generated/hanafuda/11-1.svg?url";
import phoenix from "../generated/hanafuda/12-1.svg?url";
import blackJoker from "../generated/french/B.svg?url";
import redJoker from "../generated/french/R.svg?url";
import twoHearts from "../generated/french/H2.svg?url";
import aceSpades from "../generated/french/SA.svg?url";
import tenDiamonds from "../generated/french/D10.svg?url";
import pig from "../generated/french/SQ.svg?url";
import sheep from "../generated/french/DJ.svg?url";
import transformer from "../generated/french/C10.svg?url";
import aceHearts from "../generated/french/HA.svg?url";

export const art: Record<string, string[]> = {
  koikoi: [crane, curtain, moon, rainman, phoenix],
  doudizhu: [tenDiamonds, aceSpades, twoHearts, blackJoker, redJoker],
  gongzhu: [aceHearts, pig, sheep, transformer],
};
