import { NewChatPage } from "@/app/_components/transcript/new-chat-page";

export default function HomePage() {
  return <NewChatPage />;
}
