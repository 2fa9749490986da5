/** Set by the front door from the connection and the trusted proxies alone. */
export const addressHeader = "x-grove-address";
