// Command example is the program of README.md: it says whose key it has, and
// lists the agents.
package main

import (
	"context"
	"fmt"
	"log"

	frontdesk "frontdesk.dev/frontdesk/sdk/go"
)

func main() {
	ctx := context.Background()
	client, err := frontdesk.New(frontdesk.Options{})
	if err != nil {
		log.Fatal(err)
	}
	who, err := client.Whoami(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("speaking for", who.Tenant.Slug)
	for agent, err := range client.Agents.All(ctx) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(agent.Slug, agent.DisplayName, agent.Timezone)
	}
}
