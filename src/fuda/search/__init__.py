"""Search from a seat's view: hidden cards are dealt anew, then the rules are played forward."""
