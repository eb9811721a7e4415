package safety

import "strings"

// The Chinese file is written in either script; the other one's spelling of
// each line is made from these pairs. They are the characters that stand on
// controls, one for one: a lookup for reading, not a transcription.
const hanziPairs = "帐帳台臺删刪账賬购購买買订訂单單确確认認结結预預约約续續费費开開员員会會转轉汇匯赏賞赠贈价價竞競缴繳还還数數据據销銷户戶" +
	"关關闭閉复復厂廠盖蓋权權绑綁弃棄载載发發传傳评評论論请請职職联聯系係卖賣验驗证證码碼录錄册冊实實陆陸阅閱读讀协協" +
	"议議签簽书書选選择擇设設为為储儲继繼详詳夹夾历歷记記态態号號规規则則进進时時间間范範围圍过過滤濾应應筛篩条條项項" +
	"输輸显顯页頁图圖画畫频頻视視听聽讯訊电電话話邮郵网網银銀钱錢额額总總计計宝寶红紅币幣级級类類组組团團队隊长長门門" +
	"问問题題须須说說导導机機车車检檢资資产產师師学學习習务務办辦业業种種样樣简簡执執运運维維护護断斷终終释釋归歸档檔" +
	"备備抢搶赶趕该該这這让讓给給从從对對与與举舉报報标標准準质質优優满滿减減积積换換领領奖獎现現贷貸赎贖担擔风風险險" +
	"谁誰亲親爱愛离離线線随隨处處后後无無尽盡动動头頭贴貼帮幫义義个個两兩几幾万萬达達边邊连連远遠适適变變声聲语語响響" +
	"织織锁鎖暂暫挂掛迁遷废廢驱驅颁頒赋賦决決诊診医醫药藥疗療课課试試罚罰诉訴偿償赔賠债債税稅纳納净淨钥鑰状狀属屬仅僅众眾扩擴缩縮压壓虚虛拟擬镜鏡冻凍缓緩恒恆创創链鏈库庫钮鈕栏欄监監触觸绝絕许許访訪阶階层層阀閥节節点點丢丟舍捨隐隱欢歡热熱旧舊补補" +
	"贝貝齐齊罗羅圆圓宁寧脑腦脱脫谢謝赢贏踪蹤轮輪辑輯辞辭逻邏邻鄰闪閃闲閒陈陳饰飾馆館鲜鮮龄齡们們伟偉侧側倾傾兰蘭军軍农農况況别別刘劉剧劇劳勞势勢双雙叶葉叹嘆吗嗎国國圣聖场場坏壞块塊"

var simplified, traditional = func() (s, t map[rune]rune) {
	s, t = map[rune]rune{}, map[rune]rune{}
	rs := []rune(hanziPairs)
	for i := 0; i+1 < len(rs); i += 2 {
		t[rs[i]], s[rs[i+1]] = rs[i+1], rs[i]
	}
	return s, t
}()

// otherScript gives a Chinese phrase in the script it isn't written in, or
// nothing where both write it the same.
func otherScript(lang, phrase string) string {
	if lang != "zh" {
		return ""
	}
	for _, m := range []map[rune]rune{traditional, simplified} {
		if s := strings.Map(func(r rune) rune {
			if c, ok := m[r]; ok {
				return c
			}
			return r
		}, phrase); s != phrase {
			return s
		}
	}
	return ""
}
