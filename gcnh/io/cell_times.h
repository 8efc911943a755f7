// Times of day and durations as people write them, and what they share with dates.
#pragma once

#include <optional>
#include <string_view>

namespace gcnh {

// The digits at the front, which are cut off: so many at least and at most.
std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most);
bool take_mark(std::string_view& text, char mark);

// "12:30", "9:30 PM", "12:30:05.25", with Z, UTC or +02:00 behind it, as a part of a day.
std::optional<double> parse_time(std::string_view text);

// "133:00:41", "0 days 01:23:00", "-1 days +22:37:00", "1 day, 1:23:00", in days.
std::optional<double> parse_duration(std::string_view text);

}  // namespace gcnh
