package sites

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// mail is a mailbox that draws itself in the browser from JSON, of elements
// with click handlers.
type mail struct {
	base
	box    []*letter // newest first
	sent   []sentLetter
	set    facts // settings
	opened string
}

type letter struct {
	key              string // its name in the facts
	ID               int
	From, Addr       string
	Subject          string
	Body             string
	Day              time.Time
	Folder           string
	Labels           []string
	Starred, Unread  bool
	When             string // the day, as it is shown
	Short, FolderTxt string
}

type sentLetter struct{ To, Subject, Body string }

const lettersOnPage = 10

func newMail(b base) *mail {
	m := &mail{base: b, set: facts{"settings.vacation": "off", "settings.signature": "", "settings.threads": "on", "settings.preview": "on"}}
	first, rest := m.letters()
	m.box = append(shuffle(&m.base, first), shuffle(&m.base, rest)...)
	preview := 60
	if m.lang == "zh" {
		preview = 30
	}
	id, day := m.between(4100, 9400), today
	for i, l := range m.box {
		id -= m.between(1, 40)
		day = day.Add(-time.Duration(m.between(60, 900)) * time.Minute)
		l.ID, l.Day, l.When = id, day, m.t(day.Format("2 Jan"), day.Format("1月2日"))
		l.Unread, l.Starred = m.between(0, 2) == 0, strings.HasPrefix(l.key, "f") && i%5 == 0
		l.Folder = "inbox"
		l.Addr = strings.ReplaceAll(strings.ToLower(strings.ReplaceAll(l.key, "_", ".")), " ", "") + "@example.com"
		if l.Short = l.Body; len([]rune(l.Short)) > preview {
			l.Short = string([]rune(l.Short)[:preview]) + "…"
		}
	}
	for i, x := range []string{"archive", "archive", "spam", "trash"} {
		l := *m.box[len(m.box)-1-i]
		l.key, l.ID, l.Folder, l.Starred = fmt.Sprintf("old%d", i), id-10-i, x, false
		l.Day = day.AddDate(0, 0, -i-1)
		l.When = m.t(l.Day.Format("2 Jan"), l.Day.Format("1月2日"))
		m.box = append(m.box, &l)
	}
	m.parse("mail", nil)
	return m
}

// letters are those of the first page of the inbox and those behind it.
func (m *mail) letters() (first, rest []*letter) {
	l := func(key, from, subject, body string) *letter {
		return &letter{key: key, From: from, Subject: subject, Body: body}
	}
	if m.lang == "zh" {
		at := func(from, to int) string {
			return fmt.Sprintf("%d:%s", m.between(from, to), []string{"15", "30", "45"}[m.rnd.IntN(3)])
		}
		notice := func(key, what string, from, to int) *letter {
			return l(key, "物业服务中心", what+"通知", fmt.Sprintf("各位业主:您好!根据管理处的年度计划,为保证设备安全运行,需要进行例行检修。5月%d日 %s 开始%s,预计当天 %s 恢复。请提前做好准备。", m.between(22, 30), at(from, to), what, at(to+3, to+6)))
		}
		return []*letter{
				l("wangfang", "王芳", "项目周报", "附件是本周的项目周报,请查收。"), l("wangfen", "王芬", "项目周会改期", "本周的项目周会改到周四下午。"),
				notice("water", "停水", 8, 9), notice("power", "停电", 10, 11), notice("lift", "电梯停运", 13, 14),
				l("f1", "陈伟", "周末爬山", "周六早上在地铁口集合,记得带水。"), l("f2", "云帆图书", "您的订单已发货", "您的图书预计后天送达。"),
				l("f3", "李静", "会议纪要", "请看一下昨天的会议纪要,有问题告诉我。"), l("f4", "赵磊", "报销单", "上个月的报销单还缺一张发票。"), l("f5", "城市图书馆", "借阅到期提醒", "您借的两本书下周到期。"),
			},
			[]*letter{
				l("f6", "孙悦", "生日聚会", "下周五晚上来我家吧!"), l("f7", "人力资源部", "年假安排", "请在月底前填写年假安排。"), l("f8", "晨光健身", "课程表更新", "六月的课程表已经更新。"),
				l("f9", "周涛", "旧相机", "相机我擦干净了,你什么时候来拿?"), l("f10", "青禾牙科", "复诊提醒", "您的复诊时间快到了。"),
			}
	}
	amount := func() string { return plainMoney(m.between(20, 900) * 100) }
	return []*letter{
			l("ida_lund", "Ida Lund", "Photos from the lake", "Here are the photos. The third one is my favourite."), l("ian_lund", "Ian Lund", "Keys", "I left the keys with the neighbour."),
			l("ruben_vega", "Ruben Vega", "Draft of the poster", "The draft is ready. Tell me what you think of the colours."), l("rosa_vega", "Rosa Vega", "Poster printing", "Printing takes three days."),
			l("ferry_booking", "Blue Ferry", "Your booking is confirmed", "Two adults and a car. We look forward to seeing you."), l("ferry_times", "Blue Ferry", "Boarding times", "Please be at the harbour an hour before."),
			l("clara_wong", "Clara Wong", "Budget for the workshop", "I put it at "+amount()+" in all. Is that fine?"),
			l("store_sale", "Northwind Store", "Ends today: 20% off boots", "Last chance for boots and jackets."), l("store_new", "Northwind Store", "New in: rain jackets", "Light, dry and in six colours."),
			l("f1", "Tomas Berg", "Lunch on Friday?", "The new place at the corner has opened."),
		},
		[]*letter{
			l("store_points", "Northwind Store", "Your points", "You have "+strconv.Itoa(m.between(100, 900))+" points."), l("store_survey", "Northwind Store", "How did we do?", "Two questions, one minute."),
			l("sailing", "Northwind Sailing Club", "Summer regatta", "The regatta is on the last Saturday of June."), l("clara.wong", "Clara Wong", "Budget for the summer party", "About "+amount()+", drinks included."),
			l("f2", "Priya Nair", "Boots", "Did you see the boots at Northwind Store? Mine arrived."), l("f3", "City Library", "Books due soon", "Two books are due next week."),
			l("f4", "Green Dental", "Time for a check-up", "It has been six months."), l("f5", "Hugo Marsh", "Old camera", "It still works. Do you want it?"), l("f6", "Acme Payroll", "Payslip for April", "Your payslip is ready."),
		}
}

func (m *mail) facts() facts {
	f := facts{"at.letter": m.opened}
	for _, l := range m.box {
		k := "mail." + l.key
		f[k+".folder"] = l.Folder
		f[k+".labels"] = strings.Join(l.Labels, ",")
		f[k+".star"] = onOff(l.Starred)
		f["at."+k+".unread"] = onOff(l.Unread)
	}
	for i, s := range m.sent {
		k := fmt.Sprintf("sent.%d.", i+1)
		f[k+"to"], f[k+"subject"], f[k+"body"] = s.To, s.Subject, s.Body
	}
	for k, v := range m.set {
		f[k] = v
	}
	return f
}

func (m *mail) api() []string {
	return []string{"/api/mail?folder=inbox", "/api/mail?folder=inbox&page=2"}
}

func (m *mail) letter(id string) *letter {
	i := slices.IndexFunc(m.box, func(l *letter) bool { return strconv.Itoa(l.ID) == id })
	if i < 0 {
		return nil
	}
	return m.box[i]
}

func (m *mail) list(w http.ResponseWriter, r *http.Request) {
	folder, label, q := r.FormValue("folder"), r.FormValue("label"), strings.ToLower(strings.TrimSpace(r.FormValue("q")))
	var found []*letter
	unread := 0
	for _, l := range m.box {
		if l.Folder == "inbox" && l.Unread {
			unread++
		}
		switch {
		case q != "" && !strings.Contains(strings.ToLower(l.From+"\n"+l.Subject+"\n"+l.Body), q),
			q == "" && label != "" && !slices.Contains(l.Labels, label),
			q == "" && folder == "starred" && !l.Starred,
			q == "" && label == "" && folder != "starred" && l.Folder != folder:
		default:
			found = append(found, l)
		}
	}
	pages := max(1, (len(found)+lettersOnPage-1)/lettersOnPage)
	page, _ := strconv.Atoi(r.FormValue("page"))
	page = min(max(page, 1), pages)
	writeJSON(w, map[string]any{"items": found[(page-1)*lettersOnPage : min(page*lettersOnPage, len(found))], "page": page, "pages": pages, "total": len(found), "unread": unread})
}

func (m *mail) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		m.render(w, http.StatusOK, "app", map[string]any{})
	})
	mux.HandleFunc("GET /api/mail", m.list)
	mux.HandleFunc("GET /api/mail/{id}", func(w http.ResponseWriter, r *http.Request) {
		l := m.letter(r.PathValue("id"))
		if l == nil {
			http.NotFound(w, r)
			return
		}
		m.opened, l.Unread = l.key, false
		writeJSON(w, l)
	})
	mux.HandleFunc("POST /api/act", m.act)
	mux.HandleFunc("POST /api/send", func(w http.ResponseWriter, r *http.Request) {
		s := sentLetter{strings.TrimSpace(r.FormValue("to")), r.FormValue("subject"), r.FormValue("body")}
		if !strings.Contains(s.To, "@") || strings.TrimSpace(s.Body) == "" {
			writeJSON(w, map[string]string{"error": m.t("An address and a text are needed.", "请填写收件人和正文。")})
			return
		}
		m.sent = append(m.sent, s)
		writeJSON(w, map[string]string{"toast": m.t("Message sent", "邮件已发送")})
	})
	mux.HandleFunc("GET /api/sent", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, m.sent) })
	mux.HandleFunc("GET /api/settings", func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, m.set) })
	mux.HandleFunc("POST /api/settings", m.save)
}

func (m *mail) act(w http.ResponseWriter, r *http.Request) {
	deed, n := r.FormValue("do"), 0
	for _, id := range strings.Split(r.FormValue("ids"), ",") {
		l := m.letter(id)
		if l == nil {
			continue
		}
		n++
		switch deed {
		case "archive", "trash", "spam", "inbox":
			l.Folder = deed
		case "star":
			l.Starred = !l.Starred
		case "read", "unread":
			l.Unread = deed == "unread"
		case "label":
			name := r.FormValue("label")
			if i := slices.Index(l.Labels, name); i >= 0 {
				l.Labels = slices.Delete(l.Labels, i, i+1)
			} else {
				l.Labels = append(l.Labels, name)
				slices.Sort(l.Labels)
			}
		}
	}
	said := map[string]string{
		"archive": m.t("archived", "已归档"), "trash": m.t("deleted", "已删除"), "spam": m.t("marked as spam", "已标记为垃圾邮件"),
		"inbox": m.t("moved to the inbox", "已移到收件箱"), "label": m.t("labelled", "已加标签"), "read": m.t("marked as read", "已标为已读"), "unread": m.t("marked as unread", "已标为未读"),
	}[deed]
	if said != "" {
		said = m.t(fmt.Sprintf("%d %s", n, said), fmt.Sprintf("%d 封邮件%s", n, said))
	}
	writeJSON(w, map[string]string{"toast": said})
}

// save takes one page of the settings.
func (m *mail) save(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("page") == "vacation" && r.FormValue("vacation") == "on" {
		from, to := r.FormValue("vacation.from"), r.FormValue("vacation.to")
		if from == "" || to < from || strings.TrimSpace(r.FormValue("vacation.text")) == "" {
			writeJSON(w, map[string]string{"error": m.t("A first day, a last day and a message are needed.", "请填写开始日期、结束日期和正文。")})
			return
		}
	}
	for _, k := range map[string][]string{
		"general": {"threads", "preview"}, "signature": {"signature"},
		"vacation": {"vacation", "vacation.from", "vacation.to", "vacation.subject", "vacation.text"},
	}[r.FormValue("page")] {
		m.set["settings."+k] = r.FormValue(k)
	}
	writeJSON(w, map[string]string{"toast": m.t("Settings saved", "设置已保存")})
}
