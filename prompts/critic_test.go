package prompts_test

import (
	"testing"

	"tabwright/prompts"
)

func TestCriticGolden(t *testing.T) {
	for _, lang := range []string{prompts.English, prompts.Chinese} {
		system, err := prompts.Critic(lang)
		if err != nil {
			t.Fatal(err)
		}
		question, err := prompts.CriticQuestion(lang, "find the cheapest <blue> mug", `{"action":"click","class":"navigate"}`)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "critic_"+lang+".txt", system+"\n\n--- user ---\n"+question)
	}
}
