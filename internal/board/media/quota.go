package media

// usage is what owners stored on one day (UTC), in bytes. Each process counts for
// itself and forgets with the day: a bound for those who fill disks, no account.
type usage struct {
	day    string
	stored map[string]int64
}

// today returns the usage of this day. The caller holds the lock.
func (s *Store) today() map[string]int64 {
	if day := s.o.Now().UTC().Format("2006-01-02"); s.used.day != day {
		s.used = usage{day, map[string]int64{}}
	}
	return s.used.stored
}

// charge counts a stored file.
func (s *Store) charge(f File) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.today()[f.Owner] += f.Bytes
}

// admit refuses an upload when the owner has too many unfinished ones, or when it
// could take the owner over what a day allows.
func (s *Store) admit(n New) error {
	open, bytes, err := s.open(n.Owner)
	if err != nil {
		return err
	}
	if open >= s.o.MaxOpen {
		return errTooMany()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.today()[n.Owner]+bytes+n.Size > s.o.MaxDaily {
		return errDaily()
	}
	return nil
}
