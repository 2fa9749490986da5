import { NewChatPage } from "./_shell/session/new-chat-page";

export default function HomePage() {
  return <NewChatPage />;
}
