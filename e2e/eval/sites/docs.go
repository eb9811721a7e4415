package sites

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// docs is the manual of a program: a tree of chapters, tabs, versions with
// tables that differ, a search that the browser does.
type docs struct {
	base
	version   string
	theme     string
	bookmarks map[string]bool
	feedback  map[string]string
	letters   []string
	values    map[string]string // "2.x retry.max_delay" → default
	ports     map[string]string // of the systems
	chapters  []chapter
}

type chapter struct {
	Title string
	Pages []docPage
}

type docPage struct{ Slug, Title string }

var versions = []string{"3.x", "2.x", "1.x"}

var settings = []struct{ name, en, zh, unit string }{
	{"retry.max_attempts", "How often a job is tried", "任务最多尝试次数", ""},
	{"retry.max_delay", "The longest pause between two tries", "两次尝试之间的最长间隔", "s"},
	{"retry.base_delay", "The pause before the second try", "第二次尝试前的间隔", "ms"},
	{"queue.max_size", "How many jobs may wait", "最多等待的任务数", ""},
	{"queue.max_delay", "The longest time that a job may wait", "任务最长等待时间", "s"},
	{"worker.count", "How many jobs run at a time", "同时运行的任务数", ""},
	{"worker.timeout", "How long a job may run", "任务最长运行时间", "s"},
}

func newDocs(b base) *docs {
	d := &docs{base: b, version: "3.x", theme: "light", bookmarks: map[string]bool{}, feedback: map[string]string{}, values: map[string]string{}, ports: map[string]string{}}
	pool := map[string][]int{"": {3, 4, 6, 7, 8, 9, 11, 12, 14, 16, 18, 24, 28, 32, 36, 40, 48, 56, 64, 72, 96}, "s": {15, 20, 25, 35, 45, 50, 55, 70, 75, 80, 85, 90, 95, 110, 130, 140, 150, 170, 190, 210, 240}, "ms": {105, 115, 125, 160, 175, 225, 250, 275, 300}}
	for _, unit := range []string{"", "s", "ms"} {
		shuffle(&d.base, pool[unit])
	}
	for _, v := range versions {
		for _, s := range settings {
			n := pool[s.unit][0]
			pool[s.unit] = pool[s.unit][1:]
			d.values[v+" "+s.name] = strings.TrimSpace(fmt.Sprintf("%d %s", n, s.unit))
		}
	}
	for i, system := range shuffle(&d.base, []string{"linux", "macos", "windows"}) {
		d.ports[system] = fmt.Sprint(7000 + 300*i + d.between(1, 299))
	}
	d.chapters = []chapter{
		{d.t("Get started", "入门"), []docPage{{"install", d.t("Installation", "安装")}, {"first-job", d.t("Your first job", "第一个任务")}}},
		{d.t("Guides", "指南"), shuffle(&d.base, []docPage{{"webhooks", d.t("Webhooks", "网络钩子")}, {"rate-limits", d.t("Rate limits", "速率限制")}, {"schedules", d.t("Schedules", "定时任务")}, {"logging", d.t("Logging", "日志")}})},
		{d.t("Reference", "参考"), shuffle(&d.base, []docPage{{"settings", d.t("Settings", "配置项")}, {"commands", d.t("Commands", "命令")}, {"exit-codes", d.t("Exit codes", "退出码")}})},
	}
	d.parse("docs", nil)
	return d
}

func (d *docs) facts() facts {
	f := facts{"prefs.theme": d.theme, "at.version": d.version}
	for k := range d.bookmarks {
		f["bookmark."+k] = "yes"
	}
	for k, v := range d.feedback {
		f["feedback."+k] = v
	}
	for i, l := range d.letters {
		f[fmt.Sprintf("subscription.%d", i+1)] = l
	}
	return f
}

func (d *docs) page(slug string) (docPage, bool) {
	for _, c := range d.chapters {
		if i := slices.IndexFunc(c.Pages, func(p docPage) bool { return p.Slug == slug }); i >= 0 {
			return c.Pages[i], true
		}
	}
	return docPage{}, false
}

// row is a setting as a version has it.
type row struct{ Name, Text, Default string }

func (d *docs) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { see(w, r, "/docs/install") })
	mux.HandleFunc("GET /docs/{slug}", func(w http.ResponseWriter, r *http.Request) {
		p, ok := d.page(r.PathValue("slug"))
		if !ok {
			http.NotFound(w, r)
			return
		}
		if v := r.URL.Query().Get("version"); slices.Contains(versions, v) {
			d.version = v
		}
		var rows []row
		for _, s := range settings {
			rows = append(rows, row{s.name, d.t(s.en, s.zh), d.values[d.version+" "+s.name]})
		}
		d.show(w, p.Title, map[string]any{"Slug": p.Slug, "Rows": rows, "Ports": d.ports, "Marked": d.bookmarks[p.Slug], "Feedback": d.feedback[p.Slug] != ""})
	})
	mux.HandleFunc("GET /release-notes", func(w http.ResponseWriter, _ *http.Request) {
		d.show(w, d.t("Release notes", "版本说明"), map[string]any{"Slug": "release-notes"})
	})
	mux.HandleFunc("GET /search.json", func(w http.ResponseWriter, _ *http.Request) {
		type hit struct{ Slug, Title, Text string }
		var all []hit
		for _, c := range d.chapters {
			for _, p := range c.Pages {
				h := hit{p.Slug, p.Title, c.Title}
				if p.Slug == "settings" {
					for _, s := range settings {
						h.Text += " " + s.name
					}
				}
				all = append(all, h)
			}
		}
		writeJSON(w, all)
	})
	mux.HandleFunc("POST /prefs", func(w http.ResponseWriter, r *http.Request) {
		if v := r.FormValue("theme"); slices.Contains([]string{"light", "dark", "auto"}, v) {
			d.theme = v
		}
		writeJSON(w, map[string]string{"theme": d.theme})
	})
	mux.HandleFunc("POST /bookmark/{slug}", func(w http.ResponseWriter, r *http.Request) {
		slug := r.PathValue("slug")
		if d.bookmarks[slug] {
			delete(d.bookmarks, slug)
		} else {
			d.bookmarks[slug] = true
		}
		writeJSON(w, map[string]bool{"on": d.bookmarks[slug]})
	})
	mux.HandleFunc("POST /feedback/{slug}", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("helpful") != "yes" && r.FormValue("helpful") != "no" {
			http.Error(w, "helpful: yes or no", http.StatusBadRequest)
			return
		}
		d.feedback[r.PathValue("slug")] = strings.TrimSpace(r.FormValue("helpful") + " " + strings.TrimSpace(r.FormValue("text")))
		writeJSON(w, map[string]string{"said": d.t("Thank you!", "谢谢反馈!")})
	})
	mux.HandleFunc("POST /subscribe", d.subscribe)
}

func (d *docs) show(w http.ResponseWriter, title string, v map[string]any) {
	v["Title"], v["Chapters"], v["Version"], v["Versions"], v["Theme"] = title, d.chapters, d.version, versions, d.theme
	d.render(w, http.StatusOK, "page", v)
}

func (d *docs) subscribe(w http.ResponseWriter, r *http.Request) {
	mail, version := strings.TrimSpace(r.FormValue("mail")), r.FormValue("for")
	v := map[string]any{"Slug": "release-notes", "Form": r.Form}
	switch {
	case !strings.Contains(mail, "@"):
		v["Wrong"] = d.t("Please enter your e-mail address.", "请输入邮箱地址。")
	case r.FormValue("agree") == "":
		v["Wrong"] = d.t("Please agree to receive e-mail.", "请勾选同意接收邮件。")
	default:
		d.letters = append(d.letters, mail+" for "+version)
		v["Done"] = d.t("You are subscribed.", "订阅成功。")
	}
	d.show(w, d.t("Release notes", "版本说明"), v)
}
