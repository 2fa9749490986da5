import { NewChatPage } from "@/app/_features/chat/new-chat-page";

export default function HomePage() {
  return <NewChatPage />;
}
