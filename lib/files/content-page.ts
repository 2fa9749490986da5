export interface ContentPage {
  readonly page: number;
  readonly title: string;
  readonly text: string;
}

export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}
