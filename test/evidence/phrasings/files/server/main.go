package main

import "fmt"

const DefaultPort = 8080

type Server struct {
	Name string
	Port int
}

func NewServer(name string) *Server {
	return &Server{Name: name, Port: DefaultPort}
}

func (s *Server) Listen() error {
	fmt.Println("listening {", s.Port)
	return nil
}

func main() {
	NewServer("a").Listen()
}
