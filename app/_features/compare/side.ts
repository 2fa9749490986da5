/** One of the two branches that are compared. */
export type Side = "left" | "right";

export const sideNames = { left: "Left branch", right: "Right branch" } as const;
