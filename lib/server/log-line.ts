/** As `GROVE_LOG` says, else lines for people in a terminal and JSON for programs elsewhere. */
export function isJsonLog({ GROVE_LOG } = process.env): boolean {
  return GROVE_LOG ? GROVE_LOG === "json" : !process.stderr.isTTY;
}

/** One line of JSON, or `message` where people read. */
export function logLine(message: string): string {
  return isJsonLog() ? jsonLine("info", message) : message;
}

export function jsonLine(level: "info" | "error", message: string, facts: object = {}): string {
  return JSON.stringify({ time: new Date().toISOString(), level, message, ...facts });
}
