package sites

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// tracker is an issue tracker, rendered by the server, with pop-ups, a combobox
// and tabs made by scripts.
type tracker struct {
	base
	issues     []*issue // newest first
	people     []string
	labels     []string
	milestones []string
	set        facts
	kinds      []string // of notifications
	made       int
}

type issue struct {
	key                             string
	No                              int
	Title, Body, Reporter, Assignee string
	State, Milestone, Priority      string
	Labels                          []string
	Opened                          time.Time
	Comments                        []comment
}

type comment struct{ By, Text string }

const issuesOnPage = 12

func newTracker(b base) *tracker {
	k := &tracker{base: b, set: facts{"settings.digest": "on", "settings.mentions": "on", "settings.assigned": "on", "settings.releases": "off", "settings.visibility": "private"}}
	k.people = strings.Split(k.t("Priya Nair,Priya Raman,Tom Okafor,Lea Fischer,Leo Fisher,Marek Novak", "林晓,林晓峰,高远,何静,马跃,宋然"), ",")
	k.labels = strings.Split(k.t("bug,design,docs,duplicate,performance,security", "缺陷,设计,文档,重复,性能,安全"), ",")
	k.milestones = []string{"2.4", "2.5", "3.0"}
	reporters := shuffle(&k.base, strings.Split(k.t("Ada Quist,Ben Stone,Carla Diaz,Dev Patel,Elin Moe,Finn Walsh,Gia Conti", "蔡明,邓丽,冯刚,葛文,胡兵,江楠,柯宇"), ","))
	k.kinds = shuffle(&k.base, []string{"mentions", "assigned", "digest", "releases"})
	add := func(key, title, state string, labels ...string) {
		k.issues = append(k.issues, &issue{
			key: key, Title: title, State: state, Labels: labels, Body: k.t("Seen on the latest build.", "最新版本可以重现。"),
			Priority: "normal", Milestone: k.milestones[k.between(0, 2)],
		})
	}
	if k.lang == "zh" {
		k.chineseIssues(add)
	} else {
		k.englishIssues(add)
	}
	shuffle(&k.base, k.issues)
	no, day := k.between(300, 900), today
	for i, x := range k.issues {
		no, day = no-k.between(1, 6), day.AddDate(0, 0, -k.between(1, 5))
		x.No, x.Opened, x.Reporter = no, day, reporters[i%len(reporters)]
		if k.between(0, 2) == 0 {
			x.Comments = append(x.Comments, comment{reporters[(i+2)%len(reporters)], k.t("Same here.", "我也遇到了。")})
		}
	}
	// The reporters of what may be asked about are all different.
	n := 0
	for _, x := range k.issues {
		if slices.Contains(x.Labels, "security") {
			x.Reporter = reporters[n]
			n++
		}
	}
	k.parse("tracker", map[string]any{"say": k.say, "has": slices.Contains[[]string, string]})
	return k
}

func (k *tracker) englishIssues(add func(key, title, state string, labels ...string)) {
	add("login", "Login button overlaps the logo", "open", "bug", "design")
	add("safari", "Login button does nothing in Safari", "open", "bug")
	add("export-last", "Export drops the last row", "open", "bug")
	add("export-header", "Export drops the header row", "open", "bug")
	add("emoji", "Crash when a file name has an emoji", "open", "bug")
	add("space", "Crash when a file name has a space", "open", "bug")
	add("cookie", "Session cookie without the Secure flag", "open", "security")
	add("reset", "Password reset link never expires", "open", "security")
	add("apikey", "API key shown in the log", "open", "security", "bug")
	add("tls", "Old TLS versions are accepted", "closed", "security")
	add("csrf", "Form can be sent from another site", "closed", "security")
	add("f1", "Search is slow with many tags", "open", "performance")
	add("f2", "Typo on the start page", "open", "docs")
	add("f3", "Icons are blurred on large screens", "open", "design")
	add("f4", "Startup takes ten seconds", "open", "performance")
	add("f5", "Explain how to restore a backup", "open", "docs")
	add("f6", "Import is slow", "open", "duplicate", "performance")
	add("f7", "Colours of the chart are too alike", "closed", "design")
	add("f8", "Wrong time zone in the calendar", "closed", "bug")
	add("f9", "Undo forgets the last step", "open", "bug")
}

func (k *tracker) chineseIssues(add func(key, title, state string, labels ...string)) {
	add("dup1", "列表滚动卡顿", "open", "重复", "性能")
	add("dup2", "无法上传大文件", "open", "重复")
	add("dup3", "深色模式下文字看不清", "open", "重复", "设计")
	add("dup4", "启动时闪退", "closed", "重复")
	add("empty", "搜索结果为空", "open", "缺陷")
	add("slow", "搜索结果太慢", "open", "性能")
	add("f1", "导出时丢失最后一行", "open", "缺陷")
	add("f2", "导入重复的联系人", "open", "缺陷")
	add("f3", "首页有错别字", "open", "文档")
	add("f4", "图标在大屏上模糊", "open", "设计")
	add("f5", "日历时区不对", "closed", "缺陷")
	add("f6", "日志里出现密钥", "open", "安全")
	add("f7", "说明如何恢复备份", "open", "文档")
	add("f8", "图表颜色太接近", "closed", "设计")
	add("f9", "撤销漏掉最后一步", "open", "缺陷")
}

// say gives a word of the data in the site's language.
func (k *tracker) say(word string) string {
	return map[string]string{
		"open": k.t("Open", "打开"), "closed": k.t("Closed", "已关闭"), "low": k.t("Low", "低"), "normal": k.t("Normal", "普通"), "high": k.t("High", "高"),
		"digest": k.t("Weekly digest", "每周摘要邮件"), "mentions": k.t("When I am mentioned", "有人提到我时"), "assigned": k.t("When an issue is assigned to me", "有问题指派给我时"),
		"releases": k.t("New releases", "新版本发布"),
	}[word]
}

func (k *tracker) facts() facts {
	f := facts{}
	for _, x := range k.issues {
		p := "issue." + x.key + "."
		f[p+"state"], f[p+"assignee"], f[p+"milestone"], f[p+"priority"] = x.State, x.Assignee, x.Milestone, x.Priority
		f[p+"labels"] = strings.Join(slices.Sorted(slices.Values(x.Labels)), ",")
		f[p+"title"], f[p+"body"] = x.Title, x.Body
		for i, c := range x.Comments {
			f[fmt.Sprintf("%scomment.%d", p, i+1)] = c.Text
		}
	}
	for key, v := range k.set {
		f[key] = v
	}
	return f
}

func (k *tracker) find(no string) *issue {
	i := slices.IndexFunc(k.issues, func(x *issue) bool { return strconv.Itoa(x.No) == no })
	if i < 0 {
		return nil
	}
	return k.issues[i]
}

func (k *tracker) show(w http.ResponseWriter, name, title string, v map[string]any) {
	v["Title"], v["People"], v["AllLabels"], v["Milestones"] = title, k.people, k.labels, k.milestones
	k.render(w, http.StatusOK, name, v)
}

func (k *tracker) list(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	state, label, text, sort := cmp.Or(q.Get("state"), "open"), q.Get("label"), strings.ToLower(strings.TrimSpace(q.Get("q"))), q.Get("sort")
	var found []*issue
	for _, x := range k.issues {
		if x.State == state && (label == "" || slices.Contains(x.Labels, label)) && strings.Contains(strings.ToLower(x.Title), text) {
			found = append(found, x)
		}
	}
	switch sort {
	case "oldest":
		slices.Reverse(found)
	case "title":
		slices.SortStableFunc(found, func(a, b *issue) int { return cmp.Compare(a.Title, b.Title) })
	case "-title":
		slices.SortStableFunc(found, func(a, b *issue) int { return cmp.Compare(b.Title, a.Title) })
	}
	pages := max(1, (len(found)+issuesOnPage-1)/issuesOnPage)
	page, _ := strconv.Atoi(q.Get("page"))
	page = min(max(page, 1), pages)
	// link is this list with one thing changed.
	link := func(name, value string) string {
		with := r.URL.Query()
		with.Set(name, value)
		if name != "page" {
			with.Del("page")
		}
		return "/issues?" + with.Encode()
	}
	k.show(w, "list", k.t("Issues", "问题"), map[string]any{
		"Issues": found[(page-1)*issuesOnPage : min(page*issuesOnPage, len(found))],
		"State":  state, "Label": label, "Q": q.Get("q"), "Sort": sort, "Page": page, "Pages": pages, "Total": len(found), "Link": link, "Here": r.URL.RequestURI(),
		"Prev": link("page", strconv.Itoa(page-1)), "Next": link("page", strconv.Itoa(page+1)),
	})
}

func (k *tracker) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { see(w, r, "/issues") })
	mux.HandleFunc("GET /issues", k.list)
	mux.HandleFunc("GET /board", func(w http.ResponseWriter, _ *http.Request) {
		k.show(w, "board", k.t("Board", "看板"), map[string]any{"Issues": k.issues})
	})
	mux.HandleFunc("GET /issues/new", func(w http.ResponseWriter, _ *http.Request) {
		k.show(w, "new", k.t("New issue", "新建问题"), map[string]any{})
	})
	mux.HandleFunc("POST /issues/new", k.create)
	mux.HandleFunc("GET /issues/{no}", func(w http.ResponseWriter, r *http.Request) {
		x := k.find(r.PathValue("no"))
		if x == nil {
			http.NotFound(w, r)
			return
		}
		k.show(w, "issue", x.Title, map[string]any{"Issue": x})
	})
	mux.HandleFunc("POST /issues/{no}", k.change)
	mux.HandleFunc("POST /bulk", func(w http.ResponseWriter, r *http.Request) {
		for _, no := range r.Form["no"] {
			if x := k.find(no); x != nil {
				x.State = map[string]string{"close": "closed", "reopen": "open"}[r.FormValue("do")]
			}
		}
		k.toast = k.t(fmt.Sprintf("%d issues changed", len(r.Form["no"])), fmt.Sprintf("已更改 %d 个问题", len(r.Form["no"])))
		back(w, r)
	})
	mux.HandleFunc("GET /settings/{tab}", func(w http.ResponseWriter, r *http.Request) {
		k.show(w, "settings", k.t("Settings", "设置"), map[string]any{"Tab": r.PathValue("tab"), "Set": k.set, "Keys": k.kinds})
	})
	mux.HandleFunc("POST /settings/{tab}", func(w http.ResponseWriter, r *http.Request) {
		switch r.PathValue("tab") {
		case "notifications":
			for _, key := range k.kinds {
				k.set["settings."+key] = onOff(r.FormValue(key) != "")
			}
		case "general":
			k.set["settings.visibility"] = r.FormValue("visibility")
		}
		k.toast = k.t("Settings saved", "设置已保存")
		see(w, r, r.URL.Path)
	})
}

// change does one thing to an issue.
func (k *tracker) change(w http.ResponseWriter, r *http.Request) {
	x := k.find(r.PathValue("no"))
	if x == nil {
		http.NotFound(w, r)
		return
	}
	if text := strings.TrimSpace(r.FormValue("comment")); text != "" {
		x.Comments = append(x.Comments, comment{k.t("You", "我"), text})
	}
	switch r.FormValue("do") {
	case "close":
		x.State = "closed"
	case "reopen":
		x.State = "open"
	case "assign":
		if v := r.FormValue("value"); v == "" || slices.Contains(k.people, v) {
			x.Assignee = v
		}
	case "labels":
		x.Labels = r.Form["label"]
	case "milestone":
		x.Milestone = r.FormValue("value")
	case "priority":
		x.Priority = r.FormValue("value")
	}
	if r.FormValue("do") != "comment" {
		k.toast = k.t("Issue updated", "问题已更新")
	}
	see(w, r, r.URL.Path)
}

func (k *tracker) create(w http.ResponseWriter, r *http.Request) {
	title := strings.TrimSpace(r.FormValue("title"))
	if title == "" {
		k.show(w, "new", k.t("New issue", "新建问题"), map[string]any{"Wrong": k.t("An issue needs a title.", "请填写标题。"), "Form": r.Form})
		return
	}
	k.made++
	x := &issue{
		key: fmt.Sprintf("new%d", k.made), No: k.issues[0].No + 1, Title: title, Body: r.FormValue("body"), Reporter: k.t("You", "我"), State: "open", Opened: today,
		Assignee: r.FormValue("assignee"), Labels: r.Form["label"], Milestone: r.FormValue("milestone"), Priority: cmp.Or(r.FormValue("priority"), "normal"),
	}
	k.issues = append([]*issue{x}, k.issues...)
	k.toast = k.t("Issue created", "问题已创建")
	see(w, r, fmt.Sprintf("/issues/%d", x.No))
}
