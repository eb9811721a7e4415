package sites

import (
	"fmt"
	"time"

	"tabwright/e2e/eval/suite"
)

var bookingTasks = on(newBooking,
	taskOn[*booking]{
		suite.Task{
			ID: "booking-cancel", Lang: "en", Level: 1, Acts: 2, Start: "/bookings",
			Text: "Cancel my booking for the hot stone massage.",
		},
		func(*booking) goal {
			return goal{set: facts{"booking.old-hot": "", "booking.old-hot.guests": "", "booking.old-hot.name": "", "booking.old-hot.phone": "", "booking.old-hot.remarks": ""}}
		},
	},
	taskOn[*booking]{
		suite.Task{
			ID: "booking-price", Lang: "en", Level: 2, Acts: 3, Start: "/",
			Text: "Which of the courses (not the treatments) costs the most, and how much is it?",
		},
		func(k *booking) goal {
			best := k.dearest("course")
			g := goal{answer: [][]string{{best.Name}, moneyForms(best.Price)}}
			for _, o := range k.offers {
				if o.Price != best.Price {
					g.decoys = append(g.decoys, o.Name)
				}
			}
			return g
		},
	},
	taskOn[*booking]{
		suite.Task{
			ID: "booking-late", Lang: "en", Level: 3, Acts: 12, Start: "/",
			Text: "Book a deep tissue massage with Noor Haddad on the first day in July 2026 on which she is free at 17:30, at that time, for one person. The name is Eli Stone, the phone number 0117 555 0142.",
		},
		func(k *booking) goal {
			o := k.offer("deep")
			for day := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC); ; day = day.AddDate(0, 0, 1) {
				if _, ok := o.open("Noor Haddad", day.Format(time.DateOnly), "17:30"); ok || day.Month() > 8 {
					return k.made("deep", "Noor Haddad", day, "17:30", "1", "Eli Stone", "01175550142", "")
				}
			}
		},
	},
	taskOn[*booking]{
		suite.Task{
			ID: "booking-move-zh", Lang: "zh", Level: 2, Acts: 5, Start: "/bookings",
			Text: "把“陶艺入门课”的预约改到2026年6月19日 10:00。",
		},
		func(k *booking) goal {
			return goal{set: facts{"booking.old-pottery": fmt.Sprintf("pottery with %s, 2026-06-19 10:00", k.offer("pottery").Staff[0])}}
		},
	},
	taskOn[*booking]{
		suite.Task{
			ID: "booking-ink-zh", Lang: "zh", Level: 3, Acts: 12, Start: "/",
			Text: "预约2026年6月12日 16:00 的水墨画课,老师选列出的第一位,两个人,姓名填“何小雨”,电话填 13800138000,备注填“需要儿童座椅”。",
		},
		func(k *booking) goal {
			return k.made("ink", k.offer("ink").Staff[0], time.Date(2026, 6, 12, 0, 0, 0, 0, time.UTC), "16:00", "2", "何小雨", "13800138000", "需要儿童座椅")
		},
	},
)

// made is the goal to have one more appointment.
func (k *booking) made(offer, staff string, day time.Time, hour, guests, name, phone, remarks string) goal {
	return goal{set: facts{
		"booking.1":        fmt.Sprintf("%s with %s, %s %s", offer, staff, day.Format(time.DateOnly), hour),
		"booking.1.guests": guests, "booking.1.name": name, "booking.1.phone": phone, "booking.1.remarks": remarks,
	}}
}

// dearest is the offer of a kind that costs the most.
func (k *booking) dearest(kind string) *offer {
	var best *offer
	for _, o := range k.offers {
		if o.Kind == kind && (best == nil || o.Price > best.Price) {
			best = o
		}
	}
	return best
}
