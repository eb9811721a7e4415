// The names of elements by role, in Chinese as the host has them for the lines of
// steps, and of the other targets of an action.

export const rolesZh: Record<string, string> = {
  button: "按钮", link: "链接", textbox: "输入框", searchbox: "搜索框", combobox: "下拉框", checkbox: "复选框", radio: "单选按钮", tab: "选项卡",
  menuitem: "菜单项", option: "选项", switch: "开关", img: "图片", listbox: "列表框", slider: "滑块", dialog: "对话框", heading: "标题", spinbutton: "数字框",
  page: "页面",
};

/** The same in English: the “Pay” button. */
export const rolesEn: Record<string, string> = {
  button: "button", link: "link", textbox: "field", searchbox: "search field", combobox: "list", checkbox: "checkbox", radio: "option", tab: "tab",
  menuitem: "menu item", option: "option", switch: "switch", img: "picture", listbox: "list", slider: "slider", dialog: "dialog", heading: "heading", spinbutton: "number field",
};
