package grounding

// What the generated pages speak of.
var (
	peopleEN   = []string{"Ida Lund", "Tom Becker", "Mara Novak", "Chen Wei", "Amir Haddad", "Julia Stone", "Pablo Ruiz", "Nora Quinn", "Viktor Hahn", "Lena Fox", "Omar Diaz", "Sofia Berg", "Yuki Mori", "Grace Okoro", "Felix Brandt", "Anna Kova"}
	peopleZH   = []string{"王芳", "李强", "张敏", "刘洋", "陈静", "杨磊", "赵丽", "黄涛", "周婷", "吴军", "徐慧", "孙浩", "马琳", "朱杰", "胡月", "郭峰"}
	firmsEN    = []string{"Harbor Foods", "Stellar Education", "Blue Ridge Tools", "Kite Logistics", "Olive Press", "Metro Dental", "Pine Street Books", "Granite Works", "Sunrise Bakery", "Delta Optics", "Maple Legal", "Quartz Media", "Cedar Homes", "Falcon Air", "Tulip Garden", "Echo Sound", "Onyx Motors", "Willow Spa", "Zenith Labs", "Coral Travel"}
	firmsZH    = []string{"海港食品", "星辰教育", "蓝岭工具", "风筝物流", "橄榄出版", "城市牙科", "松街书店", "花岗石业", "日出面包", "三角光学", "枫叶律所", "石英传媒", "雪松家居", "猎鹰航空", "郁金香园艺", "回声音响", "玛瑙汽车", "柳树水疗", "天顶实验室", "珊瑚旅行"}
	goodsEN    = []string{"Glue stick", "Desk lamp", "Paper tray", "Wall clock", "Blue stapler", "Ink cartridge", "Cork board", "Steel ruler", "Gel pen set", "Label maker", "Bubble wrap", "Hole punch", "Foot rest", "Cable box", "Monitor arm", "Sketch pad", "Tape gun", "Letter opener", "Book stand", "Chair mat", "Waste bin", "Key cabinet", "File crate", "Pencil cup"}
	goodsZH    = []string{"固体胶", "台灯", "文件托盘", "挂钟", "蓝色订书机", "墨盒", "软木板", "钢尺", "中性笔套装", "标签机", "气泡膜", "打孔器", "脚踏", "理线盒", "显示器支架", "素描本", "封箱器", "开信刀", "书立", "椅垫", "垃圾桶", "钥匙柜", "文件箱", "笔筒"}
	subjectsEN = []string{"Minutes of Monday's meeting", "Your train tickets", "Question about the lease", "Lunch on Friday?", "Photos from the hike", "New opening hours", "Draft of the contract", "Reminder: dentist", "Invitation to the fair", "Server maintenance tonight", "Holiday plans", "Feedback on chapter two", "Parcel is on its way", "Budget for spring", "Choir rehearsal moved", "Lost umbrella"}
	subjectsZH = []string{"周一会议纪要", "您的火车票", "关于租约的问题", "周五一起吃饭吗", "徒步的照片", "新的营业时间", "合同草稿", "牙医预约提醒", "展会邀请", "今晚服务器维护", "假期安排", "第二章的反馈", "包裹已发出", "春季预算", "合唱排练改期", "遗失的雨伞"}
	issuesEN   = []string{"Login fails on Safari", "Export drops accents", "Dark mode flickers", "Slow start on tablets", "Typo in the footer", "Search ignores case", "Avatar is cut off", "Wrong total in cart", "Map does not zoom", "Broken link in docs", "Sound keeps playing", "Date is a day off", "Crash on paste", "Menu hides behind video", "Print cuts the margin", "Undo loses colour"}
	issuesZH   = []string{"在Safari上无法登录", "导出丢失重音", "深色模式闪烁", "平板启动慢", "页脚有错字", "搜索不区分大小写", "头像被裁切", "购物车总额错误", "地图无法缩放", "文档链接失效", "声音停不下来", "日期差一天", "粘贴时崩溃", "菜单被视频遮住", "打印裁掉边距", "撤销丢失颜色"}
	filesEN    = []string{"budget.xlsx", "holiday.jpg", "thesis.docx", "notes.txt", "invoice-march.pdf", "logo.svg", "backup.zip", "recipe.md", "slides.pptx", "contract.pdf", "interview.mp3", "floorplan.dwg", "letter.odt", "scan-04.png", "readme.html", "archive.tar"}
	filesZH    = []string{"预算.xlsx", "假期.jpg", "论文.docx", "笔记.txt", "三月发票.pdf", "标志.svg", "备份.zip", "菜谱.md", "演示.pptx", "合同.pdf", "采访.mp3", "平面图.dwg", "信件.odt", "扫描04.png", "说明.html", "归档.tar"}
	topicsEN   = []string{"Installing", "First steps", "Signing in", "Users and roles", "Backups", "Moving data", "Keyboard keys", "Printing", "Plugins", "Languages", "Error codes", "Upgrading", "Billing", "Removing the program", "Network settings", "Glossary"}
	topicsZH   = []string{"安装", "第一步", "登录", "用户与角色", "备份", "迁移数据", "快捷键", "打印", "插件", "语言", "错误代码", "升级", "计费", "卸载程序", "网络设置", "术语表"}
)
