export const exampleSessionId = "example-garden";
