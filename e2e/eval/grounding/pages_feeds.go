package grounding

import "fmt"

func manual(m *maker) {
	n := m.n(10, 40)
	topics := some(m, n, topicsEN, topicsZH)
	here := 3 + m.IntN(4)
	m.p(`<div class="row" style="align-items:flex-start"><nav class="side" aria-label="%s">`, m.t("Contents", "目录"))
	m.p([]string{`<ul>`, `<ul role="tree">`, `<div class="toc">`}[m.style])
	for i, w := range topics {
		m.p([]string{`<li>`, `<li role="none">`, `<div class="toc-item">`}[m.style])
		at := ""
		if i == here {
			at = []string{`aria-current="page"`, `aria-current="true"`, `class="toc-link current"`}[m.style]
		}
		if i%4 == 1 {
			m.p(`<button class="icon" aria-expanded="%v" aria-label="%s"%v>▸</button>`, i == 5, m.t("Toggle section", "展开或收起"), key(fmt.Sprintf("fold-%d", i)))
		}
		m.link(fmt.Sprintf("t-%d", i), w, fmt.Sprintf("/d/%d", i), at)
		if i == 5 {
			m.p(`<ul>`)
			for j, s := range []string{m.t("On Linux", "Linux系统"), m.t("On Windows", "Windows系统")} {
				m.p(`<li>`)
				m.link(fmt.Sprintf("sub-%d", j), s, fmt.Sprintf("/d/%d/%d", i, j))
				m.p(`</li>`)
			}
			m.p(`</ul>`)
		}
		m.p([]string{`</li>`, `</li>`, `</div>`}[m.style])
	}
	m.p([]string{`</ul>`, `</ul>`, `</div>`}[m.style])
	m.p(`</nav><main style="flex:1"><h1>%s</h1><p>%s</p>`, topics[here], m.t("Read this page before you begin.", "开始之前请先阅读本页。"))
	for i := range 2 {
		m.p(`<h2>%s</h2><pre>tool --set %v</pre>`, []string{m.t("On the command line", "命令行方式"), m.t("In the window", "窗口方式")}[i], i)
		m.icon(fmt.Sprintf("copy-%d", i), m.t("Copy", "复制"), "⧉")
		m.link(fmt.Sprintf("anchor-%d", i), "#", fmt.Sprintf("#s%d", i))
	}
	m.p(`<p>%s</p>`, m.t("Was this page helpful?", "本页对您有帮助吗？"))
	m.button("yes", m.t("Yes", "是"))
	m.button("no", m.t("No", "否"))
	m.p(`<div class="row">`)
	m.link("before", "← "+topics[here-1], fmt.Sprintf("/d/%d", here-1))
	m.link("after", topics[here+1]+" →", fmt.Sprintf("/d/%d", here+1))
	m.p(`</div></main></div>`)
	j := (here + 3) % n
	m.ask(KindState, fmt.Sprintf("t-%d", here), "the entry of the contents that we are reading", "目录中正在阅读的那一项")
	m.ask(KindMeaning, fmt.Sprintf("t-%d", j), "open the chapter on %s", "打开讲“%s”的章节", topics[j])
	m.ask(KindState, "fold-5", "fold the section that is open", "收起已经展开的那一节")
	m.ask(KindRow, "fold-1", "unfold \"%s\" in the contents", "在目录里展开“%s”", topics[1])
	m.ask(KindOrder, fmt.Sprintf("after t-%d", here+1), "go on to the chapter after this one", "继续看后面一章")
	m.ask(KindGroup, "copy-1", "copy the command of the second part, In the window", "复制第二部分“窗口方式”的命令")
	m.ask(KindMeaning, "sub-1", "how it is done on Microsoft's system", "在微软的系统上怎么做")
	m.ask(KindMeaning, "no", "say that the page did not help", "告诉他们这页没有帮助")
	m.ask(KindOrder, "t-1", "the second chapter of the contents", "目录的第二章")
}

func feed(m *maker) {
	n := m.n(5, 14)
	who := some(m, n, peopleEN, peopleZH)
	about := some(m, n, subjectsEN, subjectsZH)
	liked := m.IntN(n)
	m.p(`<main><form class="card"><textarea placeholder="%s"%v></textarea>`, m.t("What is new?", "有什么新鲜事？"), key("post"))
	m.icon("photo", m.t("Add photo", "添加图片"), "▣")
	m.button("publish", m.t("Post", "发布"))
	m.p(`</form>`)
	for i, w := range who {
		m.p([]string{`<article class="card">`, `<div role="article" class="card">`, `<div class="card post">`}[m.style])
		m.link(fmt.Sprintf("who-%d", i), w, fmt.Sprintf("/u/%d", i))
		m.p(`<span class="muted">%s</span>`, fmt.Sprintf(m.t("%d h ago", "%d小时前"), i+1))
		m.button(fmt.Sprintf("follow-%d", i), m.t("Follow", "关注"))
		m.p(`<p>%s</p><div class="row">`, about[i])
		at := "false"
		if i == liked {
			at = "true"
		}
		m.icon(fmt.Sprintf("like-%d", i), m.t("Like", "点赞"), "♥", fmt.Sprintf(`aria-pressed="%s"`, at))
		m.button(fmt.Sprintf("comment-%d", i), fmt.Sprintf(m.t("Comments (%d)", "评论（%d）"), 3*i+1))
		m.icon(fmt.Sprintf("share-%d", i), m.t("Share", "转发"), "↗")
		m.icon(fmt.Sprintf("menu-%d", i), m.t("More", "更多"), "⋯", `aria-haspopup="menu"`)
		m.p(`</div>`)
		m.p([]string{`</article>`, `</div>`, `</div>`}[m.style])
	}
	m.p(`</main>`)
	p := m.Perm(n)
	m.ask(KindRow, fmt.Sprintf("like-%d", p[0]), "like what %s wrote", "给%s发的内容点赞", who[p[0]])
	m.ask(KindRow, fmt.Sprintf("share-%d", p[1]), "pass on the post \"%s\"", "转发“%s”这条动态", about[p[1]])
	m.ask(KindRow, fmt.Sprintf("follow-%d", p[2]), "see more of %s from now on", "以后想多看到%s的动态", who[p[2]])
	m.ask(KindRow, fmt.Sprintf("comment-%d", p[3]), "what others say to %s's post", "别人怎么评论%s的动态", who[p[3]])
	m.ask(KindRow, fmt.Sprintf("menu-%d", p[4]), "hide \"%s\", in its menu", "在“%s”的菜单里把它隐藏", about[p[4]])
	m.ask(KindState, fmt.Sprintf("like-%d", liked), "take back the like that I gave", "取消我点过的那个赞")
	m.ask(KindOrder, fmt.Sprintf("comment-%d", 2), "the comments of the third post", "第三条动态的评论")
	m.ask(KindMeaning, "post", "write something of my own", "写一条自己的内容")
	m.ask(KindIcon, "photo", "put a picture into my post", "给我的动态配一张图")
	m.ask(KindOrder, fmt.Sprintf("who-%d", n-1), "who wrote the last post", "最后一条动态的作者")
}

func board(m *maker) {
	n := m.n(7, 15)
	issues := some(m, n, issuesEN, issuesZH)
	who := some(m, 4, peopleEN, peopleZH)
	cols := []string{m.t("To do", "待处理"), m.t("In progress", "进行中"), m.t("Review", "评审"), m.t("Done", "已完成")}
	m.p(`<main><h1>%s</h1><div class="row">`, m.t("Sprint 14", "第14次迭代"))
	m.field("q", m.t("Filter issues", "筛选问题"), "")
	m.p(`<label>%s <select%v><option>%s</option><option selected>%s</option></select></label>`, m.t("Assignee", "负责人"), key("assignee"), m.t("Anyone", "任何人"), who[0])
	m.p(`</div><div class="row" style="align-items:flex-start;flex-wrap:nowrap">`)
	at := make([]int, n)
	for i := range at {
		at[i] = i % 4
	}
	for c, col := range cols {
		m.p([]string{`<section style="flex:1" aria-label="%s">`, `<div style="flex:1" role="region" aria-label="%s">`, `<div class="col" style="flex:1" data-col="%s">`}[m.style], col)
		m.p(`<h2>%s</h2>`, col)
		m.icon(fmt.Sprintf("add-%d", c), m.t("Add issue", "添加问题"), "+")
		m.p(`<ul>`)
		for i, is := range issues {
			if at[i] != c {
				continue
			}
			m.p(`<li class="card">`)
			m.link(fmt.Sprintf("open-%d", i), is, fmt.Sprintf("/i/%d", i))
			m.p(`<span class="muted">#%v · %s</span>`, 300+i*7, who[i%4])
			m.p(`<button class="icon" aria-label="%s"%v>➜</button>`, m.t("Move", "移动"), key(fmt.Sprintf("move-%d", i)))
			m.p(`<button class="icon" title="%s"%v>⋯</button>`, m.t("Actions", "操作"), key(fmt.Sprintf("menu-%d", i)))
			m.p(`</li>`)
		}
		m.p(`</ul>`)
		m.p([]string{`</section>`, `</div>`, `</div>`}[m.style])
	}
	m.p(`</div></main>`)
	p := m.Perm(n)
	m.ask(KindRow, fmt.Sprintf("move-%d", p[0]), "bring \"%s\" to another column", "把“%s”移到别的列", issues[p[0]])
	m.ask(KindRow, fmt.Sprintf("menu-%d", p[1]), "what can be done with issue #%d", "问题#%d可以做哪些操作", 300+p[1]*7)
	m.ask(KindRow, fmt.Sprintf("open-%d", p[2]), "read issue #%d", "查看问题#%d", 300+p[2]*7)
	m.ask(KindRow, fmt.Sprintf("menu-%d", p[3]), "the menu of the issue \"%s\"", "“%s”这个问题的菜单", issues[p[3]])
	m.ask(KindGroup, "add-2", "put a new issue into the column for review", "在评审那一列新建问题")
	m.ask(KindGroup, "add-0", "add something that is still to be done", "添加一个还没开始做的问题")
	m.ask(KindGroup, "move-1", "move the first card that is being worked on", "移动正在处理的第一张卡片")
	m.ask(KindGroup, "open-3", "open the first one that is finished", "打开已经做完的第一个问题")
	m.ask(KindValue, "assignee", "see the issues of others than %s", "不只看%s负责的问题", who[0])
}
