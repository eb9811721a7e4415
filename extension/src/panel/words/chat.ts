// The words of the chat: conversations, composer, plan, steps, cards, control.

export const chatEn = {
  conversations: "Conversations",
  settings: "Settings",
  back: "Back to the chat",
};

export const chatZh: typeof chatEn = {
  conversations: "对话",
  settings: "设置",
  back: "返回对话",
};
