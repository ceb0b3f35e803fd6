// Package act is what a person can do: send, retry, decide, stop, edit, attach. Each act has an id
// that is made once, stored before the request leaves, and used again on every retry of that act.
//
// An act whose outcome is unknown (a lost answer, a gateway's error page) is never repeated by
// itself: the authoritative state is read first, and then the person is told what is true. Only
// reads go on by themselves, and the repetition of a cancellation that the person asked for, under
// its one id.
package act
