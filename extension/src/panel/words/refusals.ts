// The reasons for a refused setting or key in Chinese, by kind of fault, with the
// values in the sentence. The English text comes from the program.

export const refusalsZh: Record<string, (...args: string[]) => string> = {
  header: (v) => `${v} 不是请求头，应如 X-Title: Tabwright`,
  choice: (v, list) => `${v} 不在可选值之中：${list}`,
  whole: (v) => `${v} 不是整数`,
  between: (v, least, most) => `${v} 不在 ${least} 到 ${most} 之间`,
  amount: (v, least, most) => `${v} 不是 ${least} 到 ${most} 之间的数额`,
  yes_no: (v) => `${v} 既不是 true 也不是 false`,
  duration: (v) => `${v} 不是时长，应如 90s、5m 或 1h`,
  too_short: (v) => `${v} 必须大于零`,
  address: () => "这不是地址，应如 http://127.0.0.1:11434",
  userinfo: () => "地址中不应有用户名或密码；请用 tabwright key set 保存密钥",
  folder: (v) => `${v} 不是文件夹的完整路径`,
  no_folder: (v) => `没有文件夹 ${v}；请先创建它，或填写其他文件夹`,
  closed_folder: (v) => `无法查看文件夹 ${v}；请填写其他文件夹`,
  not_folder: (v) => `${v} 是一个文件；请填写它所在的文件夹`,
  engine: (v) => `${v} 既不是 duckduckgo、google、bing、baidu，也不是像 https://search.example/?q={query} 这样的地址`,
  engine_server: (v) => `${v} 的服务器名中含有 {query}`,
  by_flag: () => "命令行参数已设定它；更改文件不会起作用",
  by_env: (name) => `环境变量 ${name} 已设定它；更改文件不会起作用`,
  provider: (v) => `没有叫 ${v} 的提供方`,
  key_empty: () => "密钥是空的",
  key_long: () => "密钥过长，不可能是密钥",
  key_letter: () => "密钥中含有空格或密钥不会有的字符；请重新复制",
};
