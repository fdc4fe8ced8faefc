// Command fetch prints the body of a page.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"

	"example.com/fetcher"
)

func main() {
	verbose := flag.Bool("v", false, "print the headers too")
	flag.Parse()
	request, err := http.NewRequest(http.MethodGet, flag.Arg(0), nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fetch: invalid address:", err)
		os.Exit(2)
	}
	response, err := fetcher.New().Do(context.Background(), request)
	if err != nil {
		fmt.Fprintln(os.Stderr, "fetch:", err)
		os.Exit(1)
	}
	defer response.Body.Close()
	if *verbose {
		response.Header.Write(os.Stdout)
	}
	io.Copy(os.Stdout, response.Body)
}
