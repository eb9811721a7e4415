package safety

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Japanese verb may be written in kanji or in kana: 枠を押さえる, 枠をおさえる. The
// lists have the kanji; the kana are made from these readings. Words that read like
// another are left out: こうかい publishes and regrets.
const kanaReadings = "押さえ おさえ 抑え おさえ 取り消 とりけ 取消 とりけし 申し込 もうしこ 申込 もうしこみ 振り込 ふりこ 振込 ふりこみ 引き出 ひきだ 引き落と ひきおと " +
	"書き込 かきこ 支払 しはら 払い戻 はらいもど 買い替 かいか 引 ひ 買 か 払 はら 売 う 送 おく 贈 おく 消 け 辞め やめ 止め とめ 頼 たの 渡 わた 預け あずけ " +
	"抜け ぬけ 捨て すて 外す はずす 断 ことわ 呼 よ 誘 さそ 使 つか 落と おと 開け あけ 許 ゆる 認め みとめ 伝え つたえ 知らせ しらせ 戻 もど 閉じ とじ 差し戻 さしもど 取り下げ とりさげ " +
	"受け取 うけと 切り替え きりかえ 差し押さえ さしおさえ 削除 さくじょ 購入 こうにゅう 注文 ちゅうもん 解約 かいやく 退会 たいかい 送金 そうきん 入金 にゅうきん 出金 しゅっきん 予約 よやく 契約 けいやく " +
	"送信 そうしん 投稿 とうこう 返信 へんしん 同意 どうい 署名 しょめい 招待 しょうたい 承認 しょうにん 承諾 しょうだく 却下 きゃっか 拒否 きょひ 共有 きょうゆう 寄付 きふ 募金 ぼきん 入札 にゅうさつ 落札 らくさつ " +
	"出品 しゅっぴん 課金 かきん 返品 へんぴん 返金 へんきん 解除 かいじょ 停止 ていし 消去 しょうきょ 初期化 しょきか 確定 かくてい 実行 じっこう 提出 ていしゅつ 応募 おうぼ 通報 つうほう 転送 てんそう " +
	"脱退 だったい 退出 たいしゅつ 破棄 はき 廃棄 はいき 許可 きょか 認証 にんしょう 登録 とうろく 解錠 かいじょう"

var kanaOf = func() *strings.Replacer {
	pairs := strings.Fields(kanaReadings)
	return strings.NewReplacer(pairs...)
}()

// minKana is the least number of kana in a spelling that is searched for anywhere in
// a label: かう is in むかう too.
const minKana = 4

// spoken are the sections beside the classes whose words ask and never quiet.
var spoken = wordSet("verb floor page loss told promise source off draw")

// kanaForm gives the kana spelling of a Japanese phrase. It is "" where the phrase
// has no kanji of kanaReadings or one without a reading, and where the spelling is
// so short that other words contain it.
func (p *pattern) kanaForm() string {
	if p.lang != "ja" || p.mild() || p.class == "" && !spoken[p.section] {
		return ""
	}
	s := kanaOf.Replace(p.raw)
	if s == p.raw || strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) && !strings.ContainsRune(p.raw, r) }) {
		return ""
	}
	n := utf8.RuneCountInString(s)
	switch {
	case p.anchor == whole && n > 1, n >= minKana, n == minKana-1 && strings.HasPrefix(s, "を"):
		return s
	}
	return ""
}
