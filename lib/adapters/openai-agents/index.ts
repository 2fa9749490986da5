export { AgentSession } from "./agent-session";
