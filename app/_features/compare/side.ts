export type Side = "left" | "right";

export const sideNames = { left: "Left branch", right: "Right branch" } as const;
