/* Moves the clock of a program that links the C library (LD_PRELOAD): Redis, curl, openssl, date.
   The file AHEAD has the seconds by which the clock is ahead of the machine's. scripts/test-dates.sh
   compiles it. Clocks that only measure how much time has passed are left alone. */
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead;

__attribute__((constructor)) static void begin(void)
{
	FILE *file = fopen(AHEAD, "r");
	if (file && fscanf(file, "%ld", &ahead) != 1)
		ahead = 0;
	if (file)
		fclose(file);
}

int clock_gettime(clockid_t id, struct timespec *at)
{
	int failed = syscall(SYS_clock_gettime, id, at);
	if (!failed && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE))
		at->tv_sec += ahead;
	return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
	(void)zone;
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	at->tv_sec = now.tv_sec;
	at->tv_usec = now.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *at)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (at)
		*at = now.tv_sec;
	return now.tv_sec;
}
