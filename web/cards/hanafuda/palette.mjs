// The few flat colours of the hanafuda. Light and dark alternate enough that each card also reads in grey.
export const ink = "#262230";
export const cream = "#f8efdc";
export const red = "#cf2f2b";
export const rose = "#f2a5b4";
export const gold = "#efb73e";
export const orange = "#e07a2c";
export const green = "#2f7d4f";
export const pine = "#1d4d3a";
export const blue = "#2c4f9e";
export const violet = "#6b4aa3";
export const brown = "#6d4630";
export const mist = "#cdbfa4";
export const white = "#fffdf7";
