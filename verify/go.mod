module github.com/talonlottery/talon/verify

go 1.26.0
