package grounding

import "fmt"

func settings(m *maker) {
	m.p(`<div class="row" style="align-items:flex-start"><nav class="side">`)
	for i, w := range []string{m.t("Profile", "个人资料"), m.t("Notifications", "通知"), m.t("Privacy", "隐私"), m.t("Billing", "账单"), m.t("Connected apps", "已连接应用")} {
		at := ""
		if i == 1 {
			at = []string{`aria-current="page"`, `aria-current="true"`, `class="nav-item active"`}[m.style]
		}
		m.p(`<div>`)
		m.link(fmt.Sprintf("nav-%d", i), w, fmt.Sprintf("/s%d", i), at)
		m.p(`</div>`)
	}
	m.p(`</nav><main style="flex:1"><h1>%s</h1>`, m.t("Notifications", "通知"))
	groups := []string{m.t("By e-mail", "电子邮件"), m.t("On the phone", "手机推送"), m.t("On the desktop", "桌面通知")}
	for g, name := range groups {
		m.p([]string{`<fieldset><legend>%s</legend>`, `<section role="group" aria-label="%s">`, `<div class="card"><h2>%s</h2>`}[m.style], name)
		if m.style == 1 {
			m.p(`<h2>%s</h2>`, name)
		}
		for i, w := range []string{m.t("Comments", "评论"), m.t("Mentions", "提到我"), m.t("Newsletter", "新闻简报"), m.t("Security alerts", "安全提醒")} {
			m.check(fmt.Sprintf("c-%d-%d", g, i), w, (g+i)%3 == 0 || i == 3)
		}
		m.p([]string{`</fieldset>`, `</section>`, `</div>`}[m.style])
	}
	m.p(`<section class="card"><h2>%s</h2>`, m.t("Summary", "摘要"))
	for i, w := range []string{m.t("Every day", "每天"), m.t("Every week", "每周"), m.t("Never", "从不")} {
		on := ""
		if i == 1 {
			on = " checked"
		}
		m.p(`<label class="c"><input type="radio" name="s"%v%v> %s</label>`, raw(on), key(fmt.Sprintf("sum-%d", i)), w)
	}
	m.field("from", m.t("Quiet from", "免打扰开始"), "22:00")
	m.field("until", m.t("until", "结束"), "07:30")
	m.p(`</section>`)
	m.button("save", m.t("Save changes", "保存更改"))
	m.button("reset", m.t("Restore defaults", "恢复默认"))
	m.p(`</main></div>`)
	m.ask(KindGroup, "c-0-2", "the newsletter box of the e-mails", "电子邮件里的新闻简报开关")
	m.ask(KindGroup, "c-1-0", "comments on the phone", "手机上的评论提醒")
	m.ask(KindGroup, "c-2-1", "be told on the desktop when somebody mentions me", "有人提到我时在桌面上提示")
	m.ask(KindGroup, "c-1-3", "security alerts by phone", "手机上的安全提醒")
	m.ask(KindState, "nav-1", "which page of the settings is open", "现在打开的是哪一个设置页")
	m.ask(KindState, "sum-1", "how often the summary comes at present", "目前多久收到一次摘要")
	m.ask(KindValue, "until", "I want quiet to end later than half past seven", "免打扰想比七点半更晚结束")
	m.ask(KindMeaning, "save", "keep what was changed here", "让这里的改动生效")
	m.ask(KindMeaning, "nav-3", "see what I pay", "看看我付多少钱")
	m.ask(KindMeaning, "sum-2", "I don't want any summary", "我不想要摘要")
}

func calendar(m *maker) {
	m.p(`<main><div class="row"><h1>%s</h1>`, m.t("May 2026", "2026年5月"))
	m.icon("back", m.t("Previous month", "上个月"), "‹")
	m.icon("fwd", m.t("Next month", "下个月"), "›")
	m.button("today", m.t("Today", "今天"))
	for i, w := range []string{m.t("Day", "日"), m.t("Week", "周"), m.t("Month", "月")} {
		at := `aria-pressed="false"`
		if i == 2 {
			at = `aria-pressed="true"`
		}
		m.p(`<button%v %v>%s</button>`, key(fmt.Sprintf("view-%d", i)), raw(at), w)
	}
	m.p(`</div>`)
	m.p([]string{`<table role="grid">`, `<div role="grid">`, `<div class="cal grid" style="grid-template-columns:repeat(7,1fr)">`}[m.style])
	busy := []int{3 + m.IntN(5), 12 + m.IntN(5), 20 + m.IntN(8)}
	events := []string{m.t("Dentist", "牙医"), m.t("Team lunch", "部门聚餐"), m.t("Flight to Rome", "飞往罗马")}
	today := 10
	for d := 1; d <= 31; d++ {
		if m.style < 2 && d%7 == 1 {
			m.p([]string{`<tr>`, `<div role="row" class="row">`}[m.style])
		}
		at := ""
		if d == today {
			at = []string{`aria-current="date"`, `aria-current="date" class="btn"`, `class="day active"`}[m.style]
		}
		open := []string{`<td>`, `<span role="gridcell">`, `<div class="cell">`}[m.style]
		m.p(`%v<button%v %v>%v</button>`, raw(open), key(fmt.Sprintf("day-%d", d)), raw(at), d)
		for i, b := range busy {
			if b == d {
				m.p(`<a href="/e/%v"%v>%s</a>`, i, key(fmt.Sprintf("ev-%d", i)), events[i])
			}
		}
		m.p([]string{`</td>`, `</span>`, `</div>`}[m.style])
		if m.style < 2 && (d%7 == 0 || d == 31) {
			m.p([]string{`</tr>`, `</div>`}[m.style])
		}
	}
	m.p([]string{`</table>`, `</div>`, `</div>`}[m.style])
	m.p(`<h2>%s</h2>`, m.t("Calendars", "日历"))
	for i, w := range []string{m.t("Work", "工作"), m.t("Family", "家庭"), m.t("Birthdays", "生日")} {
		m.check(fmt.Sprintf("cal-%d", i), w, i != 1)
	}
	m.p(`</main>`)
	m.ask(KindIcon, "fwd", "look at June", "看六月")
	m.ask(KindIcon, "back", "look at April", "看四月")
	m.ask(KindState, "view-2", "the view that is chosen", "现在选用的视图")
	m.ask(KindState, fmt.Sprintf("day-%d", today), "the day that is marked as today", "标记为今天的那一天")
	m.ask(KindState, "cal-1", "show the calendar that is hidden", "显示那个没有勾选的日历")
	m.ask(KindMeaning, "ev-0", "the appointment for my teeth", "看牙的预约")
	m.ask(KindMeaning, "ev-2", "when the plane goes", "坐飞机的那个日程")
	m.ask(KindOrder, fmt.Sprintf("day-%d", busy[1]), "the day of the team lunch itself, not the event", "部门聚餐那天的日期按钮，不是日程本身")
	m.ask(KindMeaning, "day-31", "the last day of the month", "这个月的最后一天")
}

func checkout(m *maker) {
	m.p(`<main><h1>%s</h1><ol class="row">`, m.t("Checkout", "结算"))
	for i, w := range []string{m.t("Cart", "购物车"), m.t("Address", "地址"), m.t("Payment", "付款")} {
		at := ""
		if i == 1 {
			at = []string{`aria-current="step"`, `aria-current="step"`, `class="step active"`}[m.style]
		}
		m.p(`<li>`)
		m.link(fmt.Sprintf("step-%d", i), w, fmt.Sprintf("/c/%d", i), at)
		m.p(`</li>`)
	}
	m.p(`</ol><form>`)
	for g, name := range []string{m.t("Billing address", "账单地址"), m.t("Delivery address", "收货地址")} {
		m.p([]string{`<fieldset><legend>%s</legend>`, `<section role="group" aria-label="%s">`, `<div class="card"><h2>%s</h2>`}[m.style], name)
		for i, w := range []string{m.t("Full name", "姓名"), m.t("Street", "街道"), m.t("City", "城市"), m.t("Postcode", "邮编"), m.t("Phone", "电话")} {
			v := ""
			if i < 3 {
				v = [][]string{{m.t("Ida Lund", "王芳"), m.t("Elm Road 4", "榆树路4号"), m.t("Bergen", "成都")}, {m.t("Tom Becker", "李强"), m.t("Quay 19", "码头街19号"), m.t("Turku", "青岛")}}[g][i]
			}
			m.field(fmt.Sprintf("a-%d-%d", g, i), w, v)
		}
		m.p(`<label>%s <select%v><option>%s</option><option>%s</option></select></label>`, m.t("Country", "国家"), key(fmt.Sprintf("a-%d-5", g)), m.t("Norway", "中国"), m.t("Finland", "新加坡"))
		m.p([]string{`</fieldset>`, `</section>`, `</div>`}[m.style])
	}
	m.check("news", m.t("Send me the newsletter", "给我发送新闻简报"), true)
	m.check("same", m.t("Both addresses are the same", "两个地址相同"), false)
	m.p(`<label>%s <textarea%v></textarea></label>`, m.t("Note for the courier", "给快递员的留言"), key("note"))
	m.button("next", m.t("Continue to payment", "继续付款"))
	m.link("back", m.t("Back to cart", "返回购物车"), "/cart")
	m.p(`</form></main>`)
	m.ask(KindGroup, "a-0-1", "the field for the street of the billing address", "账单地址的街道输入框")
	m.ask(KindGroup, "a-1-3", "the postcode to which the parcel goes", "包裹寄往的邮编")
	m.ask(KindGroup, "a-1-4", "the telephone number for the delivery", "收货用的联系电话")
	m.ask(KindGroup, "a-0-5", "the country of the bill", "账单所在的国家")
	m.ask(KindValue, "a-1-0", "it says %s, that is not the receiver's name", "收货人写的是%s，要改掉", m.t("Tom Becker", "李强"))
	m.ask(KindValue, "a-0-2", "correct where it says %s", "把写着%s的地方改掉", m.t("Bergen", "成都"))
	m.ask(KindState, "news", "uncheck the box that is ticked", "取消已经勾选的那个框")
	m.ask(KindState, "step-1", "the step of the order that we are at", "现在进行到哪一步")
	m.ask(KindMeaning, "note", "where to write that the bell is broken", "在哪里写门铃坏了")
	m.ask(KindMeaning, "same", "deliver to where the bill goes, too", "收货地址和账单地址用同一个")
}

func editor(m *maker) {
	tools := []struct{ id, en, zh string }{
		{"undo", "Undo", "撤销"},
		{"redo", "Redo", "重做"},
		{"bold", "Bold", "加粗"},
		{"italic", "Italic", "斜体"},
		{"under", "Underline", "下划线"},
		{"bul", "Bulleted list", "项目符号"},
		{"num", "Numbered list", "编号列表"},
		{"link", "Insert link", "插入链接"},
		{"img", "Insert image", "插入图片"},
		{"left", "Align left", "左对齐"},
		{"mid", "Align center", "居中"},
		{"clear", "Clear formatting", "清除格式"},
		{"print", "Print", "打印"},
	}
	m.p(`<main><div class="row">`)
	m.p(`<input value="%s" aria-label="%s"%v>`, m.t("Letter to the council", "致市政府的信"), m.t("Title", "标题"), key("title"))
	m.button("share", m.t("Share", "共享"))
	m.p(`</div><div class="row">`)
	for i, w := range []string{m.t("File", "文件"), m.t("Edit", "编辑"), m.t("View", "查看"), m.t("Insert", "插入")} {
		m.p(`<button aria-haspopup="menu" aria-expanded="%v"%v>%s</button>`, i == 2, key(fmt.Sprintf("menu-%d", i)), w)
	}
	m.p(`</div><div role="toolbar" class="row">`)
	for _, t := range tools {
		on := `data-g="t"`
		switch t.id {
		case "italic", "left":
			on = `aria-pressed="true"`
		case "redo":
			on = `aria-disabled="true"`
		case "bold", "under", "mid":
			on = `aria-pressed="false"`
		}
		m.icon(t.id, m.t(t.en, t.zh), "◧", on)
	}
	m.p(`<select aria-label="%s"%v><option>Arial</option><option selected>Georgia</option></select>`, m.t("Font", "字体"), key("font"))
	m.p(`<select aria-label="%s"%v><option>12</option><option selected>16</option></select></div>`, m.t("Size", "字号"), key("size"))
	m.p(`<div contenteditable="true" role="textbox" aria-multiline="true" aria-label="%s" style="min-height:90px"%v>%s</div>`, m.t("Document", "正文"), key("doc"), m.t("Dear all, the park needs benches.", "各位好，公园需要长椅。"))
	m.p(`<aside><h2>%s</h2>`, m.t("Comments", "批注"))
	who := some(m, 3, peopleEN, peopleZH)
	for i, w := range who {
		m.p(`<div class="card"><b>%s</b> <span>%s</span>`, w, []string{m.t("Too long.", "太长了。"), m.t("Which park?", "哪个公园？"), m.t("Well said.", "说得好。")}[i])
		m.button(fmt.Sprintf("reply-%d", i), m.t("Reply", "回复"))
		m.button(fmt.Sprintf("res-%d", i), m.t("Resolve", "标为已解决"))
		m.p(`</div>`)
	}
	m.p(`</aside></main>`)
	m.ask(KindIcon, "bul", "turn the lines into a list with dots", "把这几行变成带圆点的列表")
	m.ask(KindIcon, "undo", "take back the last change", "收回刚才的改动")
	m.ask(KindIcon, "mid", "put the text in the middle", "让文字排在中间")
	m.ask(KindIcon, "print", "get it on paper", "打到纸上")
	m.ask(KindState, "menu-2", "the menu that is open", "已经展开的菜单")
	m.ask(KindState, "redo", "the tool that can't be used right now", "现在不能用的那个工具")
	m.ask(KindValue, "size", "it is 16 now, make the letters smaller", "现在是16号，把字调小")
	m.ask(KindMeaning, "doc", "write the text of the letter", "写信的内容")
	m.ask(KindRow, "reply-1", "answer the comment of %s", "回复%s的批注", who[1])
	m.ask(KindRow, "res-2", "what %s remarked is settled", "%s提的意见已经处理好了", who[2])
}

func dashboard(m *maker) {
	cards := some(m, 6, []string{"Revenue", "Visitors", "Open orders", "Returns", "Support tickets", "Stock value"}, []string{"营业额", "访客", "未完成订单", "退货", "客服工单", "库存价值"})
	m.p(`<main><div class="row"><h1>%s</h1>`, m.t("Dashboard", "仪表盘"))
	for i, w := range []string{m.t("7 days", "7天"), m.t("30 days", "30天"), m.t("1 year", "1年")} {
		at := []string{`aria-pressed="false"`, `aria-selected="false" role="tab"`, `class="btn"`}[m.style]
		if i == 1 {
			at = []string{`aria-pressed="true"`, `aria-selected="true" role="tab"`, `class="btn is-active"`}[m.style]
		}
		m.p(`<button%v %v>%s</button>`, key(fmt.Sprintf("per-%d", i)), raw(at), w)
	}
	m.button("add", m.t("Add card", "添加卡片"))
	m.p(`</div><div class="grid">`)
	for i, c := range cards {
		m.p([]string{`<section class="card" aria-label="%s">`, `<article class="card" data-c="%s">`, `<div class="card tile" data-c="%s">`}[m.style], c)
		m.p(`<h3>%s</h3><b>%v</b>`, c, 100+m.IntN(9000))
		m.icon(fmt.Sprintf("cfg-%d", i), m.t("Settings", "设置"), "⚙")
		m.icon(fmt.Sprintf("ref-%d", i), m.t("Refresh", "刷新"), "↻")
		m.link(fmt.Sprintf("all-%d", i), m.t("View all", "查看全部"), fmt.Sprintf("/r/%d", i))
		m.p([]string{`</section>`, `</article>`, `</div>`}[m.style])
	}
	m.p(`</div><h2>%s</h2>`, m.t("To do", "待办"))
	for i, w := range []string{m.t("Call the bank", "给银行打电话"), m.t("Order paper", "订购纸张"), m.t("Water the plants", "给植物浇水")} {
		m.check(fmt.Sprintf("todo-%d", i), w, i == 1)
	}
	m.p(`</main>`)
	p := m.Perm(6)
	m.ask(KindRow, fmt.Sprintf("cfg-%d", p[0]), "set up the card \"%s\"", "配置“%s”卡片", cards[p[0]])
	m.ask(KindRow, fmt.Sprintf("ref-%d", p[1]), "load the figures of %s anew", "重新加载%s的数据", cards[p[1]])
	m.ask(KindRow, fmt.Sprintf("all-%d", p[2]), "the whole list behind %s", "%s的完整列表", cards[p[2]])
	m.ask(KindOrder, "cfg-0", "the gear of the first card", "第一张卡片的齿轮")
	m.ask(KindOrder, "all-5", "everything of the last card", "最后一张卡片的全部内容")
	m.ask(KindState, "per-1", "the span of time that is on", "现在选中的时间范围")
	m.ask(KindState, "todo-1", "the task that is done already", "已经完成的待办事项")
	m.ask(KindMeaning, "per-2", "figures for the last twelve months", "看最近十二个月的数据")
	m.ask(KindMeaning, "todo-2", "tick what is about the garden", "勾选和植物有关的事项")
}

func dialog(m *maker) {
	n := 6
	names := some(m, n, filesEN, filesZH)
	m.p(`<main><h1>%s</h1>`, m.t("Files", "文件"))
	m.rows(m.t("Name", "名称"), m.t("Size", "大小"), "")
	for i, f := range names {
		m.row("")
		m.cell()
		m.link(fmt.Sprintf("file-%d", i), f, fmt.Sprintf("/f/%d", i))
		m.cellEnd()
		m.words(fmt.Sprintf("%d KB", 1+m.IntN(900)))
		m.cell()
		m.button(fmt.Sprintf("ren-%d", i), m.t("Rename", "重命名"))
		m.button(fmt.Sprintf("del-%d", i), m.t("Delete", "删除"))
		m.cellEnd()
		m.rowEnd()
	}
	m.rowsEnd()
	m.p(`</main><div class="mask"><div class="box" %v><h2>%s</h2><p>%s %s</p>`, raw([]string{`role="dialog" aria-modal="false" aria-label="Share"`, `role="dialog" aria-labelledby="dt"`, `data-panel="1"`}[m.style]),
		m.t("Share", "共享"), m.t("File:", "文件："), names[2])
	m.field("to", m.t("E-mail of the person", "对方的邮箱"), "")
	for i, w := range []string{m.t("May read", "可以查看"), m.t("May comment", "可以评论"), m.t("May change", "可以修改")} {
		on := ""
		if i == 0 {
			on = " checked"
		}
		m.p(`<label class="c"><input type="radio" name="r"%v%v> %s</label>`, raw(on), key(fmt.Sprintf("may-%d", i)), w)
	}
	m.check("tell", m.t("Tell them by e-mail", "用邮件通知对方"), true)
	m.button("ok", m.t("Send", "发送"))
	m.button("no", m.t("Cancel", "取消"))
	m.icon("x", m.t("Close", "关闭"), "×")
	m.p(`</div></div>`)
	m.ask(KindMeaning, "no x", "get rid of this window without sharing", "不共享，离开这个窗口")
	m.ask(KindMeaning, "ok", "share it now", "现在就共享")
	m.ask(KindState, "may-0", "the right that is chosen at the moment", "目前选中的权限")
	m.ask(KindMeaning, "may-2", "let them edit the file", "允许对方编辑文件")
	m.ask(KindMeaning, "to", "type in who is to get it", "输入要共享给谁")
	m.ask(KindState, "tell", "don't send a message about it", "不要另外发消息告诉对方")
	m.ask(KindIcon, "x", "the cross in the corner of the window", "窗口角上的叉")
}

func questions(m *maker) {
	qs := some(m, 6, []string{"How do I pay?", "Where is my parcel?", "Can I send things back?", "Do you have a shop?", "How long is the warranty?", "Is my data safe?"}, []string{"怎么付款？", "我的包裹在哪里？", "可以退货吗？", "有实体店吗？", "保修多久？", "我的数据安全吗？"})
	m.p(`<main><h1>%s</h1>`, m.t("Questions and answers", "常见问题"))
	open := 2
	for i, q := range qs {
		state, show := "false", "none"
		if i == open {
			state, show = "true", "block"
		}
		switch m.style {
		case 0:
			at := ""
			if i == open {
				at = " open"
			}
			m.p(`<details%v><summary%v>%s</summary><p>%s</p>`, raw(at), key(fmt.Sprintf("q-%d", i)), q, m.t("It depends on the country.", "视国家而定。"))
			m.button(fmt.Sprintf("good-%d", i), m.t("Helpful", "有帮助"))
			m.p(`</details>`)
		default:
			m.p(`<h3><button aria-expanded="%v"%v>%s</button></h3><div style="display:%v"><p>%s</p>`, raw(state), key(fmt.Sprintf("q-%d", i)), q, raw(show), m.t("It depends on the country.", "视国家而定。"))
			m.button(fmt.Sprintf("good-%d", i), m.t("Helpful", "有帮助"))
			m.p(`</div>`)
		}
	}
	m.p(`<h2>%s</h2><form>`, m.t("Ask us", "联系客服"))
	m.field("mail", m.t("Your e-mail", "您的邮箱"), "", `required`)
	m.p(`<label>%s <select%v><option>%s</option><option>%s</option></select></label>`, m.t("About", "主题"), key("about"), m.t("Order", "订单"), m.t("Account", "账户"))
	m.p(`<label>%s <textarea%v></textarea></label>`, m.t("Message", "留言"), key("msg"))
	m.p(`<label class="c"><input type="checkbox" disabled%v> %s</label>`, key("call"), m.t("Call me back", "请回电"))
	m.button("send", m.t("Send", "提交"))
	m.p(`</form></main>`)
	m.ask(KindState, fmt.Sprintf("q-%d", open), "close the answer that is open", "把展开的那个答案收起来")
	m.ask(KindState, fmt.Sprintf("good-%d", open), "say that the open answer was of use", "告诉他们展开的答案有用")
	m.ask(KindOrder, "q-0", "read the first answer", "看第一个问题的答案")
	m.ask(KindOrder, "q-5", "read the answer at the end of the list", "看最后一个问题的答案")
	m.ask(KindMeaning, "msg", "write down what I want to know", "写下我想问的内容")
	m.ask(KindMeaning, "about", "say what it is about", "说明是关于什么的")
	m.ask(KindState, "call", "the choice that can't be made", "不能选的那一项")
	m.ask(KindState, "mail", "the field that must be filled in", "必须填写的输入框")
	m.ask(KindMeaning, "send", "hand the message in", "把留言交上去")
}
