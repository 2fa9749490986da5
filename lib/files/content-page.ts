export interface ContentPage {
  /** From 1. */
  readonly page: number;
  /** Of a sheet or web page; may be empty. */
  readonly title: string;
  readonly text: string;
}
