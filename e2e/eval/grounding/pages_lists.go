package grounding

import (
	"fmt"
	"strings"
)

// rows opens a table, or what some pages make of one; its rows are closed by rowEnd.
func (m *maker) rows(heads ...string) {
	switch m.style {
	case 0:
		m.p(`<table><thead><tr>`)
		for _, h := range heads {
			m.p(`<th scope="col">%s</th>`, h)
		}
		m.p(`</tr></thead><tbody>`)
	case 1:
		m.p(`<div role="table"><div role="row" class="line">`)
		for _, h := range heads {
			m.p(`<span role="columnheader">%s</span>`, h)
		}
		m.p(`</div>`)
	default:
		m.p(`<div class="list"><div class="line muted">`)
		for _, h := range heads {
			m.p(`<span>%s</span>`, h)
		}
		m.p(`</div>`)
	}
}

func (m *maker) rowsEnd() { m.p([]string{`</tbody></table>`, `</div>`, `</div>`}[m.style]) }

func (m *maker) row(class string) {
	m.p([]string{`<tr class="%s">`, `<div role="row" class="line %s">`, `<div class="line item %s">`}[m.style], class)
}
func (m *maker) rowEnd() { m.p([]string{`</tr>`, `</div>`, `</div>`}[m.style]) }

// cell opens a cell of a row.
func (m *maker) cell()    { m.p([]string{`<td>`, `<span role="cell">`, `<span>`}[m.style]) }
func (m *maker) cellEnd() { m.p([]string{`</td>`, `</span>`, `</span>`}[m.style]) }

func (m *maker) words(s string) {
	m.cell()
	m.p(`%s`, s)
	m.cellEnd()
}

func invoices(m *maker) {
	n := m.n(8, 22)
	firms := some(m, n, firmsEN, firmsZH)
	paid, late, draft := m.t("Paid", "已付款"), m.t("Overdue", "已逾期"), m.t("Draft", "草稿")
	overdue, drafted := m.IntN(n/2), n/2+m.IntN(n/2)
	m.p(`<main><h1>%s</h1><div class="row" role="tablist">`, m.t("Invoices", "发票"))
	for i, w := range []string{m.t("All", "全部"), paid, late, m.t("Drafts", "草稿箱")} {
		sel, class := "false", "tab"
		if i == 1 {
			sel, class = "true", "tab active"
		}
		m.p(`<a role="tab" href="#t%v" aria-selected="%s" class="%s"%v>%s</a>`, i, sel, class, key(fmt.Sprintf("tab-%d", i)), w)
	}
	m.p(`</div><div class="row">`)
	m.button("new", m.t("New invoice", "新建发票"))
	m.button("export", m.t("Export CSV", "导出CSV"))
	m.p(`</div>`)
	m.rows("", m.t("Number", "编号"), m.t("Client", "客户"), m.t("Amount", "金额"), m.t("Status", "状态"), "")
	var amounts []string
	for i, f := range firms {
		amount := fmt.Sprintf("%d,%03d.%02d", 1+m.IntN(9), m.IntN(1000), 10*m.IntN(10))
		amounts = append(amounts, amount)
		status := paid
		switch i {
		case overdue:
			status = late
		case drafted:
			status = draft
		}
		m.row("")
		m.cell()
		m.p(`<input type="checkbox" aria-label="%s"%v>`, m.t("Select row", "选择此行"), key(fmt.Sprintf("sel-%d", i)))
		m.cellEnd()
		m.cell()
		m.link(fmt.Sprintf("num-%d", i), fmt.Sprintf("INV-%04d", 57+3*i), fmt.Sprintf("/invoice/%d", i))
		m.cellEnd()
		m.words(f)
		m.words("$" + amount)
		m.words(status)
		m.cell()
		m.button(fmt.Sprintf("edit-%d", i), m.t("Edit", "编辑"))
		m.button(fmt.Sprintf("send-%d", i), m.t("Send", "发送"))
		m.icon(fmt.Sprintf("del-%d", i), m.t("Delete", "删除"), "🗑")
		m.cellEnd()
		m.rowEnd()
	}
	m.rowsEnd()
	m.pages(3, 6)
	m.p(`</main>`)
	i, j, k := m.IntN(n), m.IntN(n), m.IntN(n)
	m.ask(KindRow, fmt.Sprintf("del-%d", i), "throw away the invoice of %s", "把%s的发票删掉", firms[i])
	m.ask(KindRow, fmt.Sprintf("edit-%d", j), "change something in the invoice for %s", "修改给%s的那张发票", firms[j])
	m.ask(KindRow, fmt.Sprintf("sel-%d", k), "tick the row with number INV-%04d", "勾选编号为INV-%04d的那一行", 57+3*k)
	m.ask(KindRow, fmt.Sprintf("edit-%d", (i+2)%n), "edit the invoice over $%s", "编辑金额为$%s的发票", amounts[(i+2)%n])
	m.ask(KindState, fmt.Sprintf("send-%d", overdue), "send the invoice that is overdue once more", "把逾期的那张发票再发送一次")
	m.ask(KindState, fmt.Sprintf("num-%d num-%d", drafted, drafted), "open the one that is still a draft", "打开还是草稿的那一张")
	m.ask(KindState, "tab-1", "the tab that is active now", "当前选中的标签页")
	m.ask(KindOrder, fmt.Sprintf("send-%d", n-1), "send the last invoice in the list", "发送列表中最后一张发票")
	m.ask(KindOrder, "page-4 next", "go one page further in the list", "翻到列表的后一页")
	m.ask(KindMeaning, "export", "download everything as a spreadsheet file", "把全部内容下载成表格文件")
}

func mail(m *maker) {
	n := m.n(8, 24)
	from, subjects := some(m, n, peopleEN, peopleZH), some(m, n, subjectsEN, subjectsZH)
	unread := map[int]bool{m.IntN(n / 2): true, n/2 + m.IntN(n/2): true}
	starred := m.IntN(n)
	m.p(`<div class="row" style="align-items:flex-start"><nav class="side" aria-label="%s">`, m.t("Mailboxes", "邮箱"))
	m.button("compose", m.t("Compose", "写邮件"))
	for i, w := range []string{m.t("Inbox", "收件箱"), m.t("Sent", "已发送"), m.t("Drafts", "草稿"), m.t("Spam", "垃圾邮件"), m.t("Trash", "已删除")} {
		class := "box-link"
		if i == 0 {
			class += " current"
		}
		m.p(`<div><a href="#b%v" class="%s"%v>%s</a> <span class="muted">%v</span></div>`, i, class, key(fmt.Sprintf("box-%d", i)), w, 12-2*i)
	}
	m.p(`</nav><div style="flex:1"><div class="row" role="toolbar">`)
	m.p(`<input type="checkbox" aria-label="%s"%v>`, m.t("Select all", "全选"), key("all"))
	for i, w := range []string{m.t("Archive", "归档"), m.t("Report spam", "举报垃圾邮件"), m.t("Delete", "删除"), m.t("Mark as read", "标为已读"), m.t("Refresh", "刷新")} {
		m.icon(fmt.Sprintf("tool-%d", i), w, "▣")
	}
	m.p(`<span class="muted">1–%v / 214</span>`, n)
	m.icon("newer", m.t("Newer", "较新"), "‹", `aria-disabled="true"`)
	m.icon("older", m.t("Older", "较早"), "›")
	m.p(`</div><div role="main">`)
	for i := range n {
		class, star := "", "false"
		if unread[i] {
			class = " unread"
		}
		if i == starred {
			star = "true"
		}
		m.p(`<div class="line mailrow%v"><input type="checkbox" aria-label="%s"%v>`, raw(class), m.t("Select", "选择"), key(fmt.Sprintf("sel-%d", i)))
		m.p(`<button class="icon" aria-label="%s" aria-pressed="%v"%v>☆</button>`, m.t("Star", "星标"), raw(star), key(fmt.Sprintf("star-%d", i)))
		switch m.style {
		case 0:
			m.p(`<span>%s</span> <a href="/m/%v"%v>%s</a>`, from[i], i, key(fmt.Sprintf("open-%d", i)), subjects[i])
		case 1:
			m.p(`<div role="link" tabindex="0" style="flex:1"%v><span>%s</span> <span>%s</span></div>`, key(fmt.Sprintf("open-%d", i)), from[i], subjects[i])
		default:
			m.p(`<span style="width:120px">%s</span><span style="cursor:pointer;flex:1" onclick="0"%v>%s</span>`, from[i], key(fmt.Sprintf("open-%d", i)), subjects[i])
		}
		m.p(`<span class="muted">%v:%02d</span></div>`, 8+i%10, m.IntN(60))
	}
	m.p(`</div></div></div>`)
	var new int
	for i := range n {
		if unread[i] {
			new = i
			break
		}
	}
	i, j := m.IntN(n), m.IntN(n)
	m.ask(KindRow, fmt.Sprintf("open-%d", i), "read what %s wrote", "看看%s写了什么", from[i])
	m.ask(KindRow, fmt.Sprintf("star-%d", j), "put a star on the mail by %s", "给%s的邮件加星标", from[j])
	m.ask(KindRow, fmt.Sprintf("sel-%d", (i+3)%n), "tick the message \"%s\"", "勾选主题为“%s”的邮件", subjects[(i+3)%n])
	m.ask(KindState, fmt.Sprintf("open-%d", new), "open the first message that has not been read yet", "打开第一封未读的邮件")
	m.ask(KindState, fmt.Sprintf("star-%d", starred), "take the star off the mail that has one", "取消唯一那封邮件的星标")
	m.ask(KindState, "box-0", "the mailbox that is shown at the moment", "现在显示的邮箱文件夹")
	m.ask(KindMeaning, "compose", "begin a new message", "开始写一封新的信")
	m.ask(KindIcon, "tool-2", "move what is ticked to the bin", "把勾选的邮件扔进回收站")
	m.ask(KindOrder, "older", "go on to the next %d messages", "看后面的%d封邮件", n)
	m.ask(KindOrder, fmt.Sprintf("open-%d", 2), "open the third message from the top", "打开从上往下第三封邮件")
}

func products(m *maker) {
	n := m.n(8, 24)
	goods := some(m, n, goodsEN, goodsZH)
	sold := m.IntN(n)
	m.p(`<div class="row" style="align-items:flex-start"><aside class="side"><h2>%s</h2>`, m.t("Filter", "筛选"))
	for i, w := range []string{m.t("In stock", "有货"), m.t("On sale", "特价"), m.t("Free delivery", "包邮")} {
		m.check(fmt.Sprintf("filter-%d", i), w, i == 1)
	}
	m.field("min", m.t("Price from", "最低价"), "5")
	m.field("max", m.t("to", "最高价"), "80")
	m.p(`</aside><main style="flex:1"><h1>%s</h1><label>%s <select%v><option>%s</option><option>%s</option></select></label><div class="grid">`,
		m.t("Office", "办公用品"), m.t("Sort by", "排序"), key("sort"), m.t("Popular", "热门"), m.t("Price", "价格"))
	var prices []string
	for i, g := range goods {
		price := fmt.Sprintf("%d.%02d", 3+m.IntN(70), m.IntN(100))
		prices = append(prices, price)
		m.p([]string{`<article class="card">`, `<div class="card product">`, `<li class="card" style="list-style:none">`}[m.style])
		m.p(`<a href="/p/%v"%v>%s</a> <b>%s</b>`, i, key(fmt.Sprintf("link-%d", i)), g, m.t("€", "¥")+price)
		if i == sold {
			m.p(`<span class="muted">%s</span>`, m.t("Sold out", "售罄"))
			m.button(fmt.Sprintf("notify-%d", i), m.t("Notify me", "到货通知"))
		} else {
			m.button(fmt.Sprintf("add-%d", i), m.t("Add to cart", "加入购物车"))
		}
		m.icon(fmt.Sprintf("wish-%d", i), m.t("Save for later", "收藏"), "♡")
		m.p([]string{`</article>`, `</div>`, `</li>`}[m.style])
	}
	m.p(`</div>`)
	m.pages(1, 4)
	m.p(`</main></div>`)
	i := (sold + 1 + m.IntN(n-1)) % n
	j := (sold + 1 + m.IntN(n-1)) % n
	m.ask(KindRow, fmt.Sprintf("add-%d", i), "buy one %s", "买一件%s", goods[i])
	m.ask(KindRow, fmt.Sprintf("wish-%d", j), "remember the %s for another day", "把%s收藏起来以后再看", goods[j])
	m.ask(KindRow, fmt.Sprintf("add-%d", (sold+2)%n), "put what costs %s into the cart", "把价格是%s的那件商品放进购物车", m.t("€", "¥")+prices[(sold+2)%n])
	m.ask(KindMeaning, fmt.Sprintf("link-%d", (i+3)%n), "show me more about the %s", "看看%s的详细介绍", goods[(i+3)%n])
	m.ask(KindState, fmt.Sprintf("notify-%d", sold), "have a message sent when the missing article is back", "缺货的商品到货时通知我")
	m.ask(KindState, "filter-1", "switch off the filter that is on", "取消已经打开的那个筛选")
	m.ask(KindValue, "max", "raise the limit of 80", "把上限80调高")
	first := 0
	if sold == 0 {
		first = 1
	}
	m.ask(KindOrder, fmt.Sprintf("add-%d", first), "put the first article that can be bought into the cart", "把第一件能买的商品加入购物车")
	m.ask(KindMeaning, "sort", "show the cheapest ones at the top", "让最便宜的排在最前面")
}

func cart(m *maker) {
	n := 6
	goods := some(m, n, goodsEN, goodsZH)
	m.p(`<main><h1>%s</h1>`, m.t("Your cart", "购物车"))
	m.rows(m.t("Article", "商品"), m.t("Quantity", "数量"), m.t("Total", "小计"), "")
	for i, g := range goods {
		m.row("")
		m.cell()
		m.link(fmt.Sprintf("link-%d", i), g, fmt.Sprintf("/p/%d", i))
		m.cellEnd()
		m.cell()
		m.icon(fmt.Sprintf("less-%d", i), m.t("Decrease", "减少"), "−")
		m.p(`<input size="3" value="%v" aria-label="%s"%v>`, i+1, m.t("Quantity", "数量"), key(fmt.Sprintf("qty-%d", i)))
		m.icon(fmt.Sprintf("more-%d", i), m.t("Increase", "增加"), "+")
		m.cellEnd()
		m.words(fmt.Sprintf("%d.00", 3+m.IntN(40)))
		m.cell()
		m.button(fmt.Sprintf("rm-%d", i), m.t("Remove", "移除"))
		m.cellEnd()
		m.rowEnd()
	}
	m.rowsEnd()
	m.p(`<section class="card"><h2>%s</h2>`, m.t("Voucher", "优惠券"))
	m.field("code", m.t("Code", "券码"), "")
	m.button("apply", m.t("Apply", "使用"))
	m.p(`</section><section class="card"><h2>%s</h2>`, m.t("Delivery", "配送"))
	for i, w := range []string{m.t("Standard, 3 days", "普通，3天"), m.t("Express, tomorrow", "加急，明天到"), m.t("Pick up in the shop", "到店自取")} {
		on := ""
		if i == 0 {
			on = " checked"
		}
		m.p(`<label class="c"><input type="radio" name="d"%v%v> %s</label>`, raw(on), key(fmt.Sprintf("ship-%d", i)), w)
	}
	m.p(`</section>`)
	m.button("pay", m.t("Proceed to checkout", "去结算"))
	m.link("back", m.t("Continue shopping", "继续购物"), "/")
	m.p(`</main>`)
	p := m.Perm(n)
	m.ask(KindRow, fmt.Sprintf("rm-%d", p[0]), "the Remove button of the %s", "%s那一行的移除按钮", goods[p[0]])
	m.ask(KindRow, fmt.Sprintf("rm-%d", p[1]), "I don't want the %s any more, take it out", "不想要%s了，把它拿掉", goods[p[1]])
	m.ask(KindRow, fmt.Sprintf("more-%d", p[2]), "one more of the %s", "%s再加一个", goods[p[2]])
	m.ask(KindRow, fmt.Sprintf("less-%d", p[3]), "one less of the %s", "%s少要一个", goods[p[3]])
	m.ask(KindRow, fmt.Sprintf("qty-%d", p[4]), "type another number for the %s", "直接输入%s的数量", goods[p[4]])
	m.ask(KindValue, fmt.Sprintf("qty-%d", 3), "the field that holds 4", "现在数值是4的输入框")
	m.ask(KindGroup, "code", "where a voucher is typed in", "输入优惠券的地方")
	m.ask(KindState, "ship-0", "the way of delivery that is chosen now", "现在选中的配送方式")
	m.ask(KindMeaning, "ship-1", "have it here by tomorrow", "要明天就送到")
	m.ask(KindMeaning, "pay", "go on to payment", "继续去付款")
}

func results(m *maker) {
	n := m.n(6, 18)
	firms := some(m, n, firmsEN, firmsZH)
	topics := some(m, n, topicsEN, topicsZH)
	m.p(`<main><form role="search" class="row"><input aria-label="%s" value="%s"%v>`, m.t("Search the web", "搜索网页"), m.t("opening hours", "营业时间"), key("q"))
	m.button("go", m.t("Search", "搜索"))
	m.p(`</form><div class="row">`)
	for i, w := range []string{m.t("All", "全部"), m.t("Images", "图片"), m.t("News", "新闻"), m.t("Maps", "地图")} {
		at := ""
		if i == 2 {
			at = []string{`aria-current="page"`, `aria-selected="true" role="tab"`, `class="active"`}[m.style]
		}
		m.link(fmt.Sprintf("kind-%d", i), w, fmt.Sprintf("?k=%d", i), at)
	}
	m.p(`</div>`)
	for i, f := range firms {
		m.p([]string{`<article class="card">`, `<div class="g">`, `<li class="g" style="list-style:none">`}[m.style])
		site := fmt.Sprintf("site%d.example", i*7+3)
		m.p(`<div class="muted">%s</div><h3><a href="https://%s/"%v>%s – %s</a></h3>`, site, site, key(fmt.Sprintf("hit-%d", i)), f, topics[i])
		m.p(`<p>%s %s.</p>`, m.t("All that you need to know about", "您需要了解的一切："), topics[i])
		m.link(fmt.Sprintf("cache-%d", i), m.t("Cached copy", "网页快照"), fmt.Sprintf("/c/%d", i))
		m.icon(fmt.Sprintf("dots-%d", i), m.t("About this result", "关于此结果"), "⋮", `aria-haspopup="dialog"`)
		m.p([]string{`</article>`, `</div>`, `</li>`}[m.style])
	}
	m.pages(2, 5)
	m.p(`<h2>%s</h2><ul>`, m.t("Related searches", "相关搜索"))
	for i, w := range []string{m.t("opening hours sunday", "周日营业时间"), m.t("opening hours museum", "博物馆营业时间"), m.t("closing time bank", "银行关门时间")} {
		m.p(`<li>`)
		m.link(fmt.Sprintf("rel-%d", i), w, fmt.Sprintf("?r=%d", i))
		m.p(`</li>`)
	}
	m.p(`</ul></main>`)
	i, j := m.IntN(n), 2+m.IntN(n-2)
	m.ask(KindOrder, "hit-1", "the second result's link", "第二条结果的链接")
	m.ask(KindOrder, fmt.Sprintf("hit-%d", n-1), "open the last result on this page", "打开本页最后一条结果")
	m.ask(KindOrder, "page-3 next", "more results, the page after this one", "更多结果，去后一页")
	m.ask(KindState, "page-2", "the number of the page that is shown", "当前所在页的页码")
	m.ask(KindState, "kind-2", "which kind of results is switched on", "现在选中的是哪一类结果")
	m.ask(KindRow, fmt.Sprintf("cache-%d", i), "the saved copy of the result of %s", "%s那条结果的快照", firms[i])
	m.ask(KindRow, fmt.Sprintf("dots-%d", j), "what is known of the source site%d.example", "来源site%d.example的说明", j*7+3)
	m.ask(KindRow, fmt.Sprintf("hit-%d", (i+1)%n), "open what was found at %s", "打开%s的搜索结果", firms[(i+1)%n])
	m.ask(KindMeaning, "kind-1", "see pictures instead", "改看照片")
	m.ask(KindValue, "q", "change the words that were searched for", "改一下搜索用的词")
}

func flights(m *maker) {
	n := m.n(6, 18)
	lines := []string{"Aero Nord", "SkyLark", "Jetto", "Meridian Air", "Puffin"}
	m.p(`<main><h1>%s</h1><div class="row">`, m.t("Oslo to Lisbon", "奥斯陆到里斯本"))
	days := []string{m.t("Mon 4", "周一 4日"), m.t("Tue 5", "周二 5日"), m.t("Wed 6", "周三 6日"), m.t("Thu 7", "周四 7日"), m.t("Fri 8", "周五 8日")}
	for i, d := range days {
		at := `aria-pressed="false"`
		if i == 2 {
			at = []string{`aria-pressed="true"`, `aria-current="date"`, `class="btn selected active"`}[m.style]
		}
		m.p(`<button%v %v>%s</button>`, key(fmt.Sprintf("day-%d", i)), raw(at), d)
	}
	m.p(`</div><fieldset><legend>%s</legend>`, m.t("Stops", "中转"))
	for i, w := range []string{m.t("Direct only", "仅直飞"), m.t("1 stop", "1次中转"), m.t("2 or more", "2次以上")} {
		m.check(fmt.Sprintf("stop-%d", i), w, i > 0)
	}
	m.p(`</fieldset>`)
	type flight struct{ line, dep, price string }
	var fs []flight
	for i := range n {
		f := flight{lines[i%len(lines)], fmt.Sprintf("%02d:%02d", 5+i, 5*m.IntN(12)), fmt.Sprint(89 + 7*((i*5+3)%n) + m.IntN(6))}
		fs = append(fs, f)
		m.p([]string{`<section class="card row" aria-label="%s">`, `<div class="card row" data-f="%s">`, `<li class="card row" data-f="%s">`}[m.style], fmt.Sprintf("%s %d", m.t("Flight", "航班"), i+1))
		m.p(`<b>%s</b><span>%s → %02d:%02d</span><span>%v</span><span>€%s</span>`, f.dep, m.t("Oslo", "奥斯陆"), (9+i)%24, 5*m.IntN(12), raw(f.line), f.price)
		m.button(fmt.Sprintf("pick-%d", i), m.t("Select", "选择"))
		m.button(fmt.Sprintf("more-%d", i), m.t("Details", "详情"), `aria-expanded="false"`)
		m.p([]string{`</section>`, `</div>`, `</li>`}[m.style])
	}
	m.button("load", m.t("Load more", "加载更多"))
	m.p(`</main>`)
	cheap := 0
	for i, f := range fs {
		if len(f.price) < len(fs[cheap].price) || len(f.price) == len(fs[cheap].price) && f.price < fs[cheap].price {
			cheap = i
		}
	}
	i, j := m.IntN(n), m.IntN(n)
	m.ask(KindRow, fmt.Sprintf("pick-%d", i), "take the flight that leaves at %s", "选%s起飞的航班", fs[i].dep)
	m.ask(KindRow, fmt.Sprintf("more-%d", j), "learn more about the flight for €%s", "看看€%s那个航班的详细信息", fs[j].price)
	m.ask(KindRow, fmt.Sprintf("pick-%d", cheap), "book the cheapest flight", "订最便宜的航班")
	m.ask(KindOrder, fmt.Sprintf("pick-%d", 2), "choose the third flight in the list", "选列表里第三个航班")
	m.ask(KindState, "day-2", "the day that is shown now", "现在显示的是哪一天")
	m.ask(KindOrder, "day-3", "show the flights of the day after", "看后一天的航班")
	m.ask(KindState, "stop-0", "the number of stops that is not ticked", "中转里还没有勾选的那一项")
	m.ask(KindMeaning, "load", "see flights that are not in the list yet", "看还没列出来的航班")
}

func files(m *maker) {
	n := m.n(8, 16)
	names := some(m, n, filesEN, filesZH)
	open := m.IntN(n)
	m.p(`<main><nav aria-label="%s">`, m.t("Breadcrumb", "路径"))
	for i, w := range []string{m.t("My drive", "我的云盘"), m.t("Work", "工作"), m.t("2026", "2026年")} {
		m.link(fmt.Sprintf("crumb-%d", i), w, fmt.Sprintf("/d%d", i))
		m.p(`›`)
	}
	m.p(`</nav><div class="row" role="toolbar">`)
	for i, w := range []string{m.t("New folder", "新建文件夹"), m.t("Upload", "上传"), m.t("Share", "共享"), m.t("Grid view", "网格视图"), m.t("List view", "列表视图")} {
		at := `data-i="1"`
		if i == 4 {
			at = `aria-pressed="true"`
		}
		m.icon(fmt.Sprintf("tool-%d", i), w, "▤", at)
	}
	m.p(`</div>`)
	m.rows("", m.t("Name", "名称"), m.t("Owner", "所有者"), m.t("Changed", "修改时间"), "")
	owners := some(m, n, peopleEN, peopleZH)
	for i, f := range names {
		m.row("")
		m.cell()
		on := ""
		if i == open {
			on = " checked"
		}
		m.p(`<input type="checkbox"%v%v aria-label="%s">`, raw(on), key(fmt.Sprintf("sel-%d", i)), m.t("Choose", "选中"))
		m.cellEnd()
		m.cell()
		m.link(fmt.Sprintf("file-%d", i), f, "/f/"+fmt.Sprint(i))
		m.cellEnd()
		m.words(owners[i])
		m.words(fmt.Sprintf("2026-%02d-%02d", 1+m.IntN(12), 1+m.IntN(28)))
		m.cell()
		m.icon(fmt.Sprintf("menu-%d", i), m.t("More actions", "更多操作"), "⋮", `aria-haspopup="menu"`)
		m.cellEnd()
		m.rowEnd()
	}
	m.rowsEnd()
	m.p(`</main>`)
	p := m.Perm(n)
	m.ask(KindRow, fmt.Sprintf("menu-%d", p[0]), "open the menu of %s", "打开%s的菜单", names[p[0]])
	m.ask(KindRow, fmt.Sprintf("menu-%d", p[1]), "what else can be done with %s", "%s还能做什么操作", names[p[1]])
	m.ask(KindRow, fmt.Sprintf("sel-%d", p[2]), "tick %s", "勾选%s", names[p[2]])
	m.ask(KindRow, fmt.Sprintf("file-%d", p[3]), "open the file that belongs to %s", "打开属于%s的文件", owners[p[3]])
	m.ask(KindState, fmt.Sprintf("sel-%d", open), "undo the only tick in the list", "取消列表里唯一的勾选")
	m.ask(KindState, "tool-4", "the kind of view that is on", "现在启用的视图方式")
	m.ask(KindIcon, "tool-1", "put a file from my computer here", "把电脑里的文件放到这里")
	m.ask(KindIcon, "tool-3", "show the files as tiles", "用方块图显示文件")
	m.ask(KindOrder, "crumb-1", "go one folder up", "回到上一级文件夹")
	m.ask(KindOrder, fmt.Sprintf("menu-%d", n-1), "the menu at the end of the last row", "最后一行末尾的菜单")
}

func team(m *maker) {
	n := m.n(7, 16)
	who := some(m, n, peopleEN, peopleZH)
	roles := []string{m.t("Viewer", "查看者"), m.t("Editor", "编辑者"), m.t("Owner", "所有者")}
	m.p(`<main><h1>%s</h1>`, m.t("Members", "成员"))
	m.field("filter", m.t("Filter by name", "按姓名筛选"), "")
	m.button("invite", m.t("Invite", "邀请"))
	m.rows(m.t("Name", "姓名"), m.t("E-mail", "邮箱"), m.t("Role", "角色"), m.t("Active", "启用"), "")
	off, boss := 1+m.IntN(n-1), 0
	for i, w := range who {
		m.row("")
		m.words(w)
		m.words(fmt.Sprintf("user%d@team.example", i*3+2))
		m.cell()
		role := roles[i%2]
		if i == boss {
			role = roles[2]
		}
		m.p(`<select aria-label="%s"%v>`, m.t("Role", "角色"), key(fmt.Sprintf("role-%d", i)))
		for _, r := range roles {
			sel := ""
			if r == role {
				sel = " selected"
			}
			m.p(`<option%v>%s</option>`, raw(sel), r)
		}
		m.p(`</select>`)
		m.cellEnd()
		m.cell()
		on := strings.Repeat(" checked", 1)
		if i == off {
			on = ""
		}
		m.p(`<input type="checkbox" aria-label="%s"%v%v>`, m.t("Active", "启用"), raw(on), key(fmt.Sprintf("on-%d", i)))
		m.cellEnd()
		m.cell()
		m.button(fmt.Sprintf("reset-%d", i), m.t("Reset password", "重置密码"))
		m.icon(fmt.Sprintf("rm-%d", i), m.t("Remove", "移除"), "×")
		m.cellEnd()
		m.rowEnd()
	}
	m.rowsEnd()
	m.p(`</main>`)
	p := m.Perm(n)
	m.ask(KindRow, fmt.Sprintf("rm-%d", p[0]), "%s has left, take the account away", "%s已经离职，把这个账号去掉", who[p[0]])
	m.ask(KindRow, fmt.Sprintf("reset-%d", p[1]), "%s forgot the password", "%s忘记密码了", who[p[1]])
	m.ask(KindRow, fmt.Sprintf("role-%d", p[2]), "what %s may do", "设置%s的权限", who[p[2]])
	m.ask(KindRow, fmt.Sprintf("on-%d", p[3]), "switch the account user%d@team.example off", "停用账号user%d@team.example", p[3]*3+2)
	m.ask(KindValue, fmt.Sprintf("role-%d", boss), "change the role of the owner", "修改所有者的角色")
	m.ask(KindState, fmt.Sprintf("on-%d", off), "make the account that is switched off active again", "重新启用被停用的那个账号")
	m.ask(KindMeaning, "invite", "add somebody new to the team", "让一位新人加入团队")
	m.ask(KindOrder, fmt.Sprintf("rm-%d", 1), "delete the second member", "删除第二位成员")
	m.ask(KindMeaning, "filter", "look for a colleague in this list", "在名单里找一位同事")
}
