package grounding

import (
	"fmt"
	"regexp"
	"strings"

	"tabwright/e2e/eval/sites"
	"tabwright/pagecontext/corpus"
)

// pageQuestion is a question on a page that is not made for it. The right element is named
// by an XPath; {…} in the text is an XPath, too, and stands for the words there.
type pageQuestion struct{ kind, text, truth string }

// corpusQuestions are asked of pages of pagecontext/corpus, which are built as real
// sites are.
var corpusQuestions = map[string][]pageQuestion{
	"mail-en": {
		{KindRow, "put a star on the third mail", `(//*[@role="main"]//*[@role="button"])[3]`},
		{KindOrder, "tick the second mail in the list", `(//*[@role="main"]//*[@role="checkbox"])[2]`},
		{KindMeaning, "begin a new letter", `//*[contains(@class,"compose")]`},
		{KindState, "go to older mails; one of the two arrows does not work", `//*[@aria-label="Next"]`},
		{KindGroup, "send the message that is being written", `//*[@role="dialog"]//*[@role="button"][contains(.,"Send")]`},
		{KindIcon, "add a file to the message", `//*[@role="dialog"]//input[@type="file"]`},
	},
	"antd-en": {
		{KindRow, "edit the row of {(//tbody//tr|//table/tr)[4]/td[2]} with {(//tbody//tr|//table/tr)[4]/td[3]}", `(//table//tr[td])[4]//a[contains(.,"Edit")]`},
		{KindRow, "take away what costs {(//table//tr[td])[3]/td[3]}", `(//table//tr[td])[3]//a[contains(@class,"danger")]`},
		{KindOrder, "tick the second row of the table", `(//table//tr[td])[2]//input`},
		{KindState, "the tab that is open", `//*[@role="tab"][@aria-selected="true"]`},
		{KindValue, "one more of what is 3 now", `//*[@aria-label="Increase Value"]`},
		{KindOrder, "four stars of five", `(//*[@role="radio"])[4]`},
	},
	"checkout-en": {
		{KindRow, "throw the {(//aside//a)[3]} out of the cart", `(//aside//button[@aria-label or svg or *])[3]`},
		{KindState, "correct the field that is not valid", `//*[@aria-invalid="true"]`},
		{KindState, "the way to pay that is chosen", `//input[@type="radio"][@checked]`},
		{KindMeaning, "the three digits on the back of the card", `//input[@placeholder="CVC" or @aria-label="CVC" or @id="cvc" or @name="cvc" or @autocomplete="cc-csc"]`},
	},
	"shoplist-zh": {
		{KindRow, "把第二件商品放进购物车", `(//*[contains(@class,"addbtn")])[2]`},
		{KindOrder, "给第三件商品加一个", `(//*[contains(@class,"plus")])[3]`},
		{KindRow, "收藏第一件商品", `(//*[contains(@class,"wish")])[1]`},
		{KindMeaning, "只看黑颜色的", `//*[@title="black"]`},
		{KindIcon, "改成一行一件的显示方式", `//*[@title="list"]`},
	},
	"radix-en": {
		{KindState, "the entry of the menu that is ticked", `//*[@role="menuitemcheckbox"][@aria-checked="true"]`},
		{KindState, "the entry of the menu that can't be used", `//*[@role="menuitem"][@aria-disabled="true" or @data-disabled]`},
		{KindGroup, "keep the changes of the dialog", `//*[@role="dialog"]//button[contains(.,"Save")]`},
		{KindOrder, "the second size", `(//*[@role="radio"])[2]`},
	},
	"kanban-en": {
		{KindRow, "change the second card of the first column", `(//*[@data-list="0"]//*[contains(@class,"menu")])[2]`},
		{KindGroup, "add a card to the second column", `//*[@data-list="1"]/*[contains(@class,"addc")]`},
		{KindIcon, "mark this board as one of my favourites", `//*[contains(@class,"star-btn")]`},
	},
}

// siteQuestions are asked of the sites of the bundled suite: of the page at which a
// task begins.
var siteQuestions = []struct {
	task, path string
	questions  []pageQuestion
}{
	{"shop-cheapest", "/", []pageQuestion{
		{KindRow, "buy some {(//main//li[.//button[contains(.,\"basket\")]])[2]//h2}", `(//main//button[contains(.,"basket")])[2]`},
		{KindState, "what is sold out", `(//main//button[@disabled])[1]`},
		{KindState, "the kind of tea that is shown", `//nav//*[@aria-current]`},
		{KindMeaning, "the cheapest at the top", `//main//select`},
	}},
	{"bank-freeze", "/cards", []pageQuestion{
		{KindRow, "block the second card", `(//*[@role="switch"])[2]`},
		{KindOrder, "another limit for the last card", `(//main//*[contains(text(),"Change limit")])[last()]`},
		{KindMeaning, "send money to somebody", `//nav//a[contains(.,"Transfer")]`},
	}},
	{"booking-cancel", "/bookings", []pageQuestion{
		{KindRow, "call off the {(//h4)[2]}", `(//div[contains(@class,"mine")])[2]//a[contains(.,"Cancel")]`},
		{KindRow, "another time for the {(//h4)[3]}", `(//div[contains(@class,"mine")])[3]//a[contains(.,"Reschedule")]`},
		{KindOrder, "cancel the last booking", `(//div[contains(@class,"mine")])[last()]//a[contains(.,"Cancel")]`},
	}},
	{"mail-archive-zh", "/", []pageQuestion{
		{KindRow, "打开{(//*[@id=\"view\"]//*[@data-id])[3]//*[@class=\"from\"]}发来的邮件", `(//*[@id="view"]//*[@data-id])[3]`},
		{KindOrder, "给列表里的第二封邮件加星标", `(//*[@id="view"]//*[contains(@class,"star")])[2]`},
		{KindRow, "勾选主题是“{(//*[@id=\"view\"]//*[@data-id])[5]//b}”的邮件", `(//*[@id="view"]//*[@data-id])[5]//input`},
		{KindMeaning, "写一封新的信", `//*[@id="compose"]`},
		{KindState, "现在打开的文件夹", `//*[contains(@class,"here")]`},
		{KindIcon, "改变这个邮箱的设置", `//*[@id="gear"]`},
	}},
	{"docs-default", "/docs/install", []pageQuestion{
		{KindState, "the page of the manual that is being read", `//nav//*[@aria-current="page"]`},
		{KindMeaning, "read the manual of another version", `//select[@name="version"]`},
		{KindMeaning, "a dark background instead of a light one", `//*[@id="theme"]`},
		{KindOrder, "unfold the second chapter of the contents", `(//nav//summary)[2]`},
	}},
	{"tracker-duplicates-zh", "/issues", []pageQuestion{
		{KindOrder, "打开第三个问题", `(//table//tr[td])[3]//a`},
		{KindRow, "勾选{(//table//tr[td])[5]//a}", `(//table//tr[td])[5]//input`},
		{KindMeaning, "报告一个新的错误", `//a[contains(.,"新建问题")]`},
		{KindState, "看已经解决的问题", `//a[contains(.,"已关闭")]`},
	}},
}

// corpusMarks are the marks of the corpus's own truth.
var corpusMarks = regexp.MustCompile(` data-(?:op|no|name)(?:="[^"]*")?`)

// Fixtures are the pages that are not made for these questions.
func Fixtures() ([]Page, error) {
	var out []Page
	for _, p := range corpus.Pages() {
		qs := corpusQuestions[p.Name]
		if qs == nil {
			continue
		}
		html, err := p.HTML()
		if err != nil {
			return nil, err
		}
		out = append(out, Page{Name: "corpus-" + p.Name, Lang: p.Lang, HTML: corpusMarks.ReplaceAllString(string(html), ""), Questions: questionsOf("corpus-"+p.Name, qs)})
	}
	suite := sites.New()
	for _, s := range siteQuestions {
		for _, t := range suite.Tasks() {
			if t.ID != s.task {
				continue
			}
			name := "site-" + t.Lang + "-" + t.ID
			out = append(out, Page{Name: name, Lang: t.Lang, Questions: questionsOf(name, s.questions), open: func() (string, func(), error) {
				w, err := suite.Open(t, 1)
				if err != nil {
					return "", nil, err
				}
				return w.URL() + s.path, w.Close, nil
			}})
		}
	}
	return out, nil
}

func questionsOf(page string, qs []pageQuestion) []Question {
	var out []Question
	for i, a := range qs {
		out = append(out, Question{ID: fmt.Sprintf("%s/%d", page, i+1), Page: page, Kind: a.kind, Text: a.text, Truth: []string{a.truth}})
	}
	return out
}

// placeholders are the XPaths in a question's text.
var placeholders = regexp.MustCompile(`\{[^{}]+\}`)

// fill puts the words of a page in place of the XPaths of a question.
func fill(text string, words map[string]string) string {
	return placeholders.ReplaceAllStringFunc(text, func(p string) string { return words[strings.Trim(p, "{}")] })
}
