/** Counts the errors nobody caught, which end a plain Node process. */
export class UncaughtErrors {
  readonly messages: string[] = [];
  readonly #add = (error: unknown) => void this.messages.push(String(error));

  constructor() {
    process.on("unhandledRejection", this.#add);
    process.on("uncaughtException", this.#add);
  }

  end(): void {
    process.off("unhandledRejection", this.#add);
    process.off("uncaughtException", this.#add);
  }
}
