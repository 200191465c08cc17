"""What follows from the answers: each rule's verdict, the decision somebody can act on, and its words."""
