const messages = {
  "57014": "The statement was cancelled before it was sent.",
  CONNECTION_CLOSED: "The connection to the database was closed.",
  CONNECTION_ENDED: "The connections to the database were ended.",
  CONNECT_TIMEOUT: "The database could not be reached in time.",
  DATABASE_SILENT: "The database did not answer in time.",
  NO_WRITABLE_SERVER: "Of the servers that were named, none takes writes.",
};

/** A statement got no answer; a write may have happened. Has the driver's code where there is one. */
export class DatabaseConnectionError extends Error {
  override readonly name = "DatabaseConnectionError";
  readonly code: keyof typeof messages;

  constructor(code: keyof typeof messages) {
    super(messages[code]);
    this.code = code;
  }
}
