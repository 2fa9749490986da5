/** Id of an owner's first example; later ones get new ids. */
export const exampleSessionId = "example-garden";
