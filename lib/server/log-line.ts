export function isJsonLog({ GROVE_LOG } = process.env): boolean {
  return GROVE_LOG ? GROVE_LOG === "json" : !process.stderr.isTTY;
}

export function logLine(message: string): string {
  return isJsonLog() ? jsonLine("info", message) : message;
}

export function jsonLine(level: "info" | "error", message: string, facts: object = {}): string {
  return JSON.stringify({ time: new Date().toISOString(), level, message, ...facts });
}
